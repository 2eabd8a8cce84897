# Video with the curve is converted to HLG, PQ and SDR, and these are converted to the curve.
color='9/made-up HDR/9'
for wanted in hlg pq bt709; do
  prints 'made-up HDR as display light in cd/m²' \
    candela plan "$media/hlg.mov" --source-color "$color" --preset hevc-hlg \
    --set "video.colorProperties=$wanted"
done
for source in hlg pq 709; do
  prints 'display light in cd/m² as made-up HDR' \
    candela plan "$media/hlg.mov" --source-color "$source" --preset hevc-hlg \
    --set "video.colorProperties=$color"
done
prints 'SDR becomes HDR (made-up HDR)' \
  candela plan "$media/sdr.mov" --preset hevc-hlg --set "video.colorProperties=$color"
prints 'the transfer function, made-up HDR, which has no H.273 number' \
  candela plan "$media/sdr.mov" --preset hevc-hlg --set "video.colorProperties=$color"
prints 'needs 10 bits' failing candela plan "$media/sdr.mov" --preset h264-sdr \
  --set "video.colorProperties=$color"
# The movie is converted to the curve and back again. The tone curve for the way back is fitted to
# the light that was measured.
candela transcode "$media/sdr.mov" made-up.mov --preset hevc-hlg --quiet "${fast[@]}" \
  --set "video.colorProperties=$color"
prints '    shot ' candela plan made-up.mov --source-color "$color" --preset h264-sdr
candela transcode made-up.mov back.mov --source-color "$color" --preset h264-sdr --quiet \
  "${fast[@]}" --set video.conversion.toneMapping=none --set video.conversion.gamutMapping=clip
is_like "$media/sdr.mov" back.mov
