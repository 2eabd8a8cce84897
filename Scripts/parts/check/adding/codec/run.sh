echo '{"video": {"codec": "v210"}}' >preset.json
prints 'made-up' candela plan "$media/hlg.mov" out.mov --preset preset.json
prints 'v210' candela plan "$media/hlg.mov" out.mov --preset preset.json
candela transcode "$media/hlg.mov" out.mov --preset preset.json --quiet
prints 'v210' candela inspect out.mov
prints 'HLG' candela inspect out.mov
is_like "$media/hlg.mov" out.mov
# The codec has no rate factor that a preset could state.
prints 'video.compressionProperties' failing candela plan "$media/hlg.mov" out.mov \
  --preset preset.json --set video.compressionProperties.constantRateFactor=20
