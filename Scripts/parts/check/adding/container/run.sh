prints '→ .demo' candela plan "$media/hlg.mov" out.demo --preset hevc-hlg
ffmpeg -loglevel error -i "$media/hlg.mov" -f lavfi -i sine=duration=0.2 -map 0:v -map 1 -c:v copy \
  -c:a ac3 source.mov
candela transcode source.mov out.demo --preset hevc-hlg --quiet
prints 'HLG' candela inspect out.demo
[ "$(ffprobe -v error -select_streams a -show_entries stream=codec_name -of csv=p=0 out.demo)" = aac ]
candela transcode source.mov --into made --set container=demo \
  --set 'video={"codec":"passthrough"}' --quiet
prints 'hevc' ffprobe -v error -show_streams made/source.demo
