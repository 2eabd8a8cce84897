# Commands and the schema know the mapping as a value of its key. Kernels have no operation for the
# mapping, so they call its function `map`.
prints '"madeUp"' candela schema preset
prints "'bt2407', 'madeUp'" failing candela plan "$media/hlg.mov" --preset h264-sdr \
  --set video.conversion.gamutMapping=other
prints "gamut mapping 'madeUp' into BT.709 (1)" candela plan "$media/hlg.mov" --preset h264-sdr \
  --set video.conversion.gamutMapping=madeUp
for mapping in madeUp none; do
  candela transcode "$media/hlg.mov" "$mapping.mov" --preset h264-sdr --quiet "${fast[@]}" \
    --set "video.conversion.gamutMapping=$mapping"
done
if cmp -s <(pictures madeUp.mov) <(pictures none.mov); then stop "$row: no color was mapped"; fi
