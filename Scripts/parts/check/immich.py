# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the service for Immich: answers it as Immich 3 does, and sends it Immich's events.

Paths, fields and statuses are those of Immich's published interface (https://api.immich.app):
GET /assets/{id}, GET /assets/{id}/original, POST /assets, POST /stacks. The webhook's body is that
of the action "POST event data to a URL".
"""
import email.parser
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

candela = os.path.realpath(sys.argv[1])
key, secret = "k" * 32, "word"
times = {"fileCreatedAt": "2024-05-01T10:00:00.000Z", "fileModifiedAt": "2024-05-01T10:00:01.000Z"}
identities = {name: f"00000000-0000-4000-8000-00000000000{n}" for n, name in
              enumerate(["hdr.mov", "sdr.mp4", "torn.mov", "gone.mov", "copy"])}
files, uploads, stacks, faults = {}, [], [], []


class Stub(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body=b"", kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def permitted(self):
        if self.headers.get("x-api-key") != key:
            faults.append(f"{self.path}: no key")
            self.answer(401)
            return False
        return True

    def do_GET(self):
        if not self.permitted():
            return
        parts = self.path.split("/")
        name = next((n for n, i in identities.items() if len(parts) > 3 and i == parts[3]), None)
        if name not in files:
            return self.answer(400, b'{"message":"Not found or no asset.read access"}')
        if len(parts) == 4:
            return self.answer(200, json.dumps(asset(name)).encode())
        return self.answer(200, files[name], "application/octet-stream")

    def do_POST(self):
        if not self.permitted():
            return
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/api/stacks":
            stacks.append(json.loads(body)["assetIds"])
            return self.answer(201, b'{"id":"stack"}')
        kind = self.headers["Content-Type"].encode()
        message = email.parser.BytesParser().parsebytes(b"Content-Type: " + kind + b"\r\n\r\n" + body)
        fields = {}
        for part in message.get_payload():
            name = part.get_param("name", header="content-disposition")
            fields[name] = part.get_payload(decode=True)
            if name == "assetData":
                fields["name"] = part.get_filename()
        if set(fields) != {"assetData", "name", *times}:
            faults.append(f"upload with {sorted(fields)}")
            return self.answer(400)
        uploads.append(fields)
        identity = {"id": identities["copy"], "status": "created"}
        return self.answer(201, json.dumps(identity).encode())

    def log_message(self, *arguments):
        pass


def asset(name):
    return {"id": identities[name], "type": "VIDEO", "originalFileName": name, **times}


def send(url, event, word=secret):
    request = urllib.request.Request(
        url, json.dumps(event).encode(), {"Content-Type": "application/json", "X-Secret": word})
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code


def event(name, **changes):
    return {"type": "AssetV1", "trigger": "AssetCreate", "data": {"asset": {**asset(name), **changes}}}


with tempfile.TemporaryDirectory() as place:
    place = pathlib.Path(place)

    def run(*words):
        subprocess.run([candela, *words, "-q"], check=True, cwd=place)

    run("sample", "hdr.mov", "--size", "128x96", "--seconds", "1")
    run("transcode", "hdr.mov", "sdr.mp4", "--preset", "h264-sdr")
    for name in ("hdr.mov", "sdr.mp4"):
        files[name] = (place / name).read_bytes()
    files["torn.mov"] = files["hdr.mov"][:3000]

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (place / "bin").mkdir()
    (place / "bin/candela").symlink_to(candela)
    environment = {
        **os.environ, "IMMICH_URL": f"http://127.0.0.1:{server.server_port}", "IMMICH_KEY": key,
        "IMMICH_SECRET": secret, "PATH": f"{place / 'bin'}:{os.environ['PATH']}"}
    service = subprocess.Popen(
        [sys.executable, "-B", "Scripts/examples/immich.py", "--port", "0"], env=environment,
        stderr=subprocess.PIPE, text=True)
    lines = []
    url = service.stderr.readline().split(" ")[-1].strip()
    threading.Thread(target=lambda: lines.extend(service.stderr), daemon=True).start()

    def expect(words, count=1):
        end = time.monotonic() + 60
        while sum(words in line for line in lines) < count:
            if time.monotonic() > end:
                sys.exit(f"the service did not say '{words}' but {lines}")
            time.sleep(0.05)

    def check(found, wanted, what):
        if found != wanted:
            sys.exit(f"{what}: {found}, not {wanted}")

    try:
        check(send(url, event("hdr.mov"), "wrong"), 403, "status for a wrong secret")
        check(send(url, {"data": 1}), 400, "status for nonsense")
        check(send(url, event("hdr.mov", id="../../etc")), 400, "status for a wrong identity")
        check(send(url, event("hdr.mov", id=1)), 400, "status for an identity that is not text")
        check(send(url, event("hdr.mov", originalFileName=1)), 400, "status for a wrong name")
        check(send(url, event("hdr.mov", type="IMAGE")), 202, "status for an image")
        check(send(url, event("hdr.mov", visibility="hidden")), 202, "status for a Live Photo")
        check(send(url, event("hdr.mov")), 202, "status for HDR")
        expect("hdr.sdr.mp4 added")
        copy = place / "uploaded.mp4"
        copy.write_bytes(uploads[0]["assetData"])
        verdict = json.loads(subprocess.run(
            [candela, "validate", copy, "--json"], check=True, capture_output=True).stdout)
        check(verdict["format"], "SDR", "the copy")
        check(uploads[0]["name"], "hdr.sdr.mp4", "the copy's name")
        for field, value in times.items():
            check(uploads[0][field].decode(), value, field)
        check(stacks, [[identities["copy"], identities["hdr.mov"]]], "the stack")
        # Immich sends an event for the copy as well.
        check(send(url, event("copy")), 202, "status for the copy")
        # SDR is left out, and neither a torn nor a missing file ends the service.
        for name, words in (("sdr.mp4", "no HDR"), ("torn.mov", "candela ended with"),
                            ("gone.mov", "original: 400")):
            check(send(url, event(name)), 202, f"status for {name}")
            expect(words)
        # If the event has no dates, the service asks for them.
        partial = event("hdr.mov")
        for field in times:
            del partial["data"]["asset"][field]
        check(send(url, partial), 202, "status for an event without dates")
        expect("hdr.sdr.mp4 added", 2)
        check(len(uploads), 2, "the number of uploads")
        check(uploads[1]["assetData"] == uploads[0]["assetData"], True,
              "whether the second copy equals the first")
        check(faults, [], "what the stub refused")
    finally:
        service.terminate()
        status = service.wait(10)
check(status, 0, "the status of a service that is ended")
print("13 requests: HDR copied, stacked and dated; SDR, torn and missing files left alone")
