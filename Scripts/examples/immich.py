#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes an SDR copy, which every browser plays, of each new HDR video in Immich (version 3).

An Immich workflow calls this service through a webhook when a video arrives. The service downloads
the original, transcodes it if it is HDR, uploads the copy, and stacks it on top of the original. It
needs Python 3 and candela.

    IMMICH_URL=http://localhost:2283 IMMICH_KEY=... immich.py [--port 8765] [-- OPTIONS]

Events that are still waiting when the service ends are lost. OPTIONS go to `candela transcode`; by
default they are `--preset h264-sdr`. The key has to permit asset.read, asset.download, asset.upload
and stack.create. If IMMICH_SECRET is set, the webhook has to send it in the header X-Secret.
"""
import argparse
import hmac
import http.client
import http.server
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import uuid


def log(text):
    print(text, file=sys.stderr, flush=True)


class Immich:
    """The parts of Immich's REST interface that this service needs."""

    def __init__(self, url, key):
        self.url, self.key = urllib.parse.urlsplit(url), key

    def request(self, method, path, body=None, kind=None, length=None):
        """Returns the open response; raises OSError for an error status."""
        secure = self.url.scheme == "https"
        connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = connect(self.url.hostname, self.url.port, timeout=600)
        headers = {"x-api-key": self.key, "Accept": "*/*"}
        if kind:
            headers["Content-Type"] = kind
        if length is not None:
            headers["Content-Length"] = str(length)
        connection.request(method, f"{self.url.path.rstrip('/')}/api{path}", body, headers)
        response = connection.getresponse()
        if response.status >= 300:
            text = response.read(500).decode(errors="replace")
            raise OSError(f"{method} {path}: {response.status} {text}")
        return response

    def json(self, method, path, value=None):
        body = None if value is None else json.dumps(value).encode()
        return json.loads(self.request(method, path, body, "application/json").read() or b"null")

    def download(self, asset, path):
        with self.request("GET", f"/assets/{asset}/original") as response, open(path, "wb") as file:
            while block := response.read(1 << 20):
                file.write(block)

    def upload(self, path, fields):
        """Uploads a file, in pieces, and returns the new asset's ID."""
        mark = uuid.uuid4().hex
        name = os.path.basename(path).replace('"', "'")
        head = "".join(
            f'--{mark}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
            for key, value in fields.items())
        head += (f'--{mark}\r\nContent-Disposition: form-data; name="assetData"; '
                 f'filename="{name}"\r\nContent-Type: video/mp4\r\n\r\n')
        head, tail = head.encode(), f"\r\n--{mark}--\r\n".encode()

        def pieces():
            yield head
            with open(path, "rb") as file:
                while block := file.read(1 << 20):
                    yield block
            yield tail

        length = len(head) + os.path.getsize(path) + len(tail)
        kind = f"multipart/form-data; boundary={mark}"
        with self.request("POST", "/assets", pieces(), kind, length) as response:
            return json.load(response)


class Worker:
    """Works on one asset after another; a failure ends only the work on that asset."""

    def __init__(self, immich, options):
        self.immich, self.options = immich, options
        self.waiting, self.copies = queue.Queue(), set()
        self.process, self.is_stopping = None, False
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while (asset := self.waiting.get()) is not None and not self.is_stopping:
            try:
                if "fileCreatedAt" not in asset or "fileModifiedAt" not in asset:
                    asset = self.immich.json("GET", f"/assets/{asset['id']}")
                self.add_copy(asset)
            except Exception as error:  # whatever it is, the next asset gets its turn
                log(f"{asset.get('id')}: {error}")

    def stop(self):
        """Stops work on the current asset, and leaves nothing of it behind."""
        self.is_stopping = True
        self.waiting.put(None)
        if self.process:
            self.process.terminate()
        self.thread.join(timeout=10)

    def add_copy(self, asset):
        """Adds a copy to an asset if it is HDR video."""
        # Immich calls the webhook for copies, too.
        if asset["id"] in self.copies:
            return
        with tempfile.TemporaryDirectory(prefix="immich-") as folder:
            self.add_copy_in(folder, asset)

    def add_copy_in(self, folder, asset):
        immich = self.immich
        name = os.path.basename(asset.get("originalFileName") or "clip.mov")
        source, target = os.path.join(folder, "in", name), os.path.join(folder, "out")
        os.mkdir(os.path.dirname(source))
        immich.download(asset["id"], source)
        self.process = subprocess.Popen(
            ["candela", "transcode", "--into", target, "--name", "{name}.sdr.mp4", "--only", "hdr",
             "--preserve-times", "--progress", "none", "-q", *self.options, "--", source])
        status = self.process.wait()
        self.process = None
        # Status 2 means that damaged frames were concealed.
        if status not in (0, 2):
            return log(f"{name}: candela ended with {status}")
        made = [entry for entry in os.listdir(target) if entry.endswith(".mp4")] \
            if os.path.isdir(target) else []
        if not made:
            return log(f"{name}: no HDR")
        times = {key: asset[key] for key in ("fileCreatedAt", "fileModifiedAt")}
        copy = immich.upload(os.path.join(target, made[0]), times)
        self.copies.add(copy["id"])
        # The first asset of a stack is the one on top.
        immich.json("POST", "/stacks", {"assetIds": [copy["id"], asset["id"]]})
        log(f"{name}: {made[0]} added")


def handler(waiting, secret):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            sent = self.headers.get("X-Secret", "")
            if secret and not hmac.compare_digest(sent.encode(), secret.encode()):
                return self.answer(403)
            try:
                length = int(self.headers.get("Content-Length") or 0)
                event = json.loads(self.rfile.read(min(max(length, 0), 1 << 22)))
                asset = event["data"]["asset"]
                uuid.UUID(asset["id"])
                is_text = isinstance(asset.get("originalFileName", ""), str)
            except (ValueError, TypeError, KeyError, AttributeError):
                return self.answer(400)
            if not is_text:
                return self.answer(400)
            # The moving part of a Live Photo is hidden.
            if (event.get("trigger") == "AssetCreate" and asset.get("type") == "VIDEO"
                    and asset.get("visibility") != "hidden"):
                waiting.put(asset)
            return self.answer(202)

        def answer(self, status):
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments):
            pass

    return Handler


def main():
    words = sys.argv[1:]
    place = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8765)
    arguments = parser.parse_args(words[:place])
    try:
        immich = Immich(os.environ["IMMICH_URL"], os.environ["IMMICH_KEY"])
    except KeyError as missing:
        sys.exit(f"immich.py: set {missing.args[0]}; immich.py --help says more")
    worker = Worker(immich, words[place + 1:] or ["--preset", "h264-sdr"])
    server = http.server.ThreadingHTTPServer(
        (arguments.address, arguments.port),
        handler(worker.waiting, os.environ.get("IMMICH_SECRET")))
    log(f"listening at http://{arguments.address}:{server.server_port}")

    def end(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        worker.stop()


if __name__ == "__main__":
    main()
