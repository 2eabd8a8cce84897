# Each frame of the sample gets a message of a provider that does not exist. The message comes
# before the frame's first slice.
ffmpeg -loglevel error -nostdin -i "$media/hlg.mov" -map 0:v -c copy -bsf:v hevc_mp4toannexb plain.hevc
python3 - plain.hevc made-up.hevc <<'EOF'
import sys

stream = open(sys.argv[1], 'rb').read()
units = [unit.rstrip(b'\0') for unit in stream.split(b'\0\0\1')[1:]]
with open(sys.argv[2], 'wb') as file:
    for number, unit in enumerate(units):
        if unit[0] >> 1 < 32 and unit[2] & 0x80:
            payload = bytes([0xB5, 0x7F, 0xFE, 0x01, number])
            file.write(b'\0\0\0\1\x4E\1' + bytes([4, len(payload)]) + payload + b'\x80')
        file.write(b'\0\0\0\1' + unit)
EOF

prints 'madeUp: present' candela inspect made-up.hevc
prints "made-up metadata: the source's" candela plan made-up.hevc --preset hevc-match-source
candela transcode made-up.hevc kept.mov --preset hevc-match-source --quiet
prints 'madeUp: present' candela inspect kept.mov
prints 'nothing is lost' candela compare made-up.hevc kept.mov
candela transcode kept.mov copied.mov --set video.codec=passthrough --quiet
prints 'madeUp: present' candela inspect copied.mov
prints 'not carried over: made-up metadata' \
  candela transcode made-up.hevc small.mov --preset hevc-match-source --set video.width=160
if candela compare made-up.hevc small.mov >lost.txt; then stop "$row: no loss is found"; fi
prints 'LOST       madeUp: 6' cat lost.txt
candela plan made-up.hevc --preset hevc-match-source --set video.width=160 --json >plan.json
prints 'madeUp: 6' candela compare made-up.hevc small.mov --plan plan.json
