#!/usr/bin/env bash
# Fills corpus/TARGET with small good files of the project's own, and with those that GRIDSCOPE_CORPUS names.
set -euo pipefail
cd "$(dirname "$0")"
most=65536

# seed TARGET FIRST-BYTE FILE: a copy, behind the byte by which the target chooses, named by its content.
seed() {
  [ -f "$3" ] && [ "$(stat -c %s "$3")" -le "$most" ] || return 0
  mkdir -p "corpus/$1"
  { printf '%b' "$2"; cat "$3"; } > "corpus/$1/.new"
  mv "corpus/$1/.new" "corpus/$1/$(sha256sum "corpus/$1/.new" | cut -c1-16)"
}
text() { mkdir -p "corpus/$1"; printf '%b' "$2" > "corpus/$1/$(printf '%s' "$2" | sha256sum | cut -c1-16)"; }

for first in '\x00' '\x01' '\x05' '\x2d'; do
  for file in ../examples/figures/*.csv; do head -c 4000 "$file" > corpus.part; seed csv "$first" corpus.part; done
  text csv "${first}x,y,v,p\\n1,a,0.5,k\\n2,b,\"1\\n,5\",m\\n3,a,,k\\r\\n"
  text json "${first}[{\"a\":1,\"b\":{\"c\":\"x\"},\"v\":2.5},{\"a\":2,\"v\":NaN}]"
  text json "${first}{\"a\":[1,2],\"b\":[\"x\",null],\"v\":[1e3,0.5]}"
  text json "${first}{\"a\":1,\"b\":2,\"v\":3}\\n{\"a\":1,\"b\":3,\"v\":4}\\n"
done
rm -f corpus.part
for file in ../examples/figures/*.toml; do seed figure_toml '' "$file"; done
text figure_json '{"title":"t","data":{"file":"a.csv","x":"a","y":["b","c"]},"color":{"vmin":0,"norm":"log"},"size":{"width":"9cm"}}'
text labels_svg 'A title\x1fa note\x1fx\x1fy\x1f<b>&amp;\x1f\xd8\xb9\xd8\xb1\xd8\xa8\x1f]]>\x1f\xf0\x9f\x98\x80'
text grid_png '\0\0\0\0\0\0\0\0\0\0\0\0\x04\x01abcdefghijklmnop'
text grid_png '\x01\x07\x03\x05\x01\x01\x03\x01\x01\x01\x01\x03\x03\x07\x64\x70\x80\x90\xa0\xb0'
text zarr_metadata '\0{"zarr_format":3,"node_type":"array","shape":[4,4],"data_type":"float64","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4,4]}},"chunk_key_encoding":{"name":"default"},"fill_value":0,"codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}'
text zarr_metadata '\x01{"zarr_format":2,"shape":[4,4],"chunks":[4,4],"dtype":"<f8","compressor":null,"fill_value":0,"order":"C","filters":null}'

base="${GRIDSCOPE_CORPUS:-}"
if [ -n "$base" ]; then
  while IFS= read -r -d '' file; do
    case "$file" in
      */csv/*.csv) for first in '\x00' '\x01'; do seed csv "$first" "$file"; done ;;
      */npy/*.npy) seed npy '' "$file" ;;
      */npz/*) seed npz '' "$file" ;;
      */parquet/*.parquet) for first in '\x00' '\x01'; do seed parquet "$first" "$file"; done ;;
      */arrow/*stream*) for first in '\x00' '\x01'; do seed arrow_stream "$first" "$file"; done ;;
      */arrow/*) for first in '\x00' '\x01'; do seed arrow_file "$first" "$file"; done ;;
      */specs/toml/*) seed figure_toml '' "$file" ;;
      */specs/json/*) seed figure_json '' "$file"; seed json '\x00' "$file" ;;
      */grids/*.json|*/csv/*.json) seed json '\x00' "$file" ;;
      */zarr.json) seed zarr_metadata '\x00' "$file" ;;
      */.zarray) seed zarr_metadata '\x01' "$file" ;;
      */.zgroup|*/.zattrs) seed zarr_metadata '\x02' "$file" ;;
      */zarr/*gzip*/c/*/*) seed zarr_chunk '\x01' "$file" ;;
      */zarr/*zstd*/c/*/*) seed zarr_chunk '\x02' "$file" ;;
      */zarr/*blosc*/c/*/*) seed zarr_chunk '\x03' "$file"; seed zarr_chunk '\x04' "$file"; seed zarr_chunk '\x06' "$file" ;;
      */zarr/*shard*/c/*/*) seed zarr_chunk '\x07' "$file" ;;
      */zarr/*zlib*/c/*/*) seed zarr_chunk '\x09' "$file" ;;
      */zarr/*/c/*/*) seed zarr_chunk '\x00' "$file"; seed zarr_chunk '\x08' "$file" ;;
    esac
  done < <(find "$base" -type f -print0)
fi
for target in fuzz_targets/*.rs; do
  name="$(basename "$target" .rs)"
  mkdir -p "corpus/$name"
  echo "$name: $(find "corpus/$name" -type f | wc -l) seeds"
done
