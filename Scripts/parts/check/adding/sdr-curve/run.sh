# Video is converted from and to the curve. Where a file would need a number for the curve, the
# program says that the curve has none.
prints 'signal to light by made-up log' \
  candela plan "$media/sdr.mov" --source-color '1/made-up log/1' --preset hevc-hlg
prints 'light to signal by made-up log' \
  candela plan "$media/hlg.mov" --preset hevc-sdr --set 'video.colorProperties=1/made-up log/1'
prints 'the transfer function, made-up log, which has no H.273 number' \
  candela plan "$media/hlg.mov" --preset hevc-sdr --set 'video.colorProperties=1/made-up log/1'
prints 'made-up log has no number' failing candela retag "$media/sdr.mov" log.mov --color '1/made-up log/1'
# The movie is converted to the curve and back again.
candela transcode "$media/sdr.mov" log.mov --preset hevc-sdr --quiet "${fast[@]}" \
  --set 'video.colorProperties=1/made-up log/1'
prints 'BT.709 (1) / – / BT.709 (1)' candela inspect log.mov
candela transcode log.mov back.mov --source-color '1/made-up log/1' --preset h264-sdr --quiet \
  "${fast[@]}"
is_like "$media/sdr.mov" back.mov
