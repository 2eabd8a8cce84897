prints 'signal to light by BT.709 (1)' candela plan "$media/sdr.mov" --preset hevc-hlg
