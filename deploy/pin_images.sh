#!/bin/sh
# usage: pin_images.sh [FOLDER]    pin the base images of Dockerfile and compose.yaml by digest
# It asks the registry for the digest of each tag, and needs docker and a network. The tags stay for
# people to read; docker uses the digest. Run it again after a change of a tag, and commit the diff.
set -eu
folder=${1:-$(dirname -- "$0")}

fail() {
    echo "pin_images.sh: $1" >&2
    exit 2
}

command -v docker > /dev/null || fail "expected docker, found none: install it"
# A stage of the Dockerfile has no tag, and our own image no registry.
images=$(sed -n 's/^FROM \([^ ]*:[^ ]*\).*/\1/p; s/^ *image: \([^ ]*:[^ ]*\).*/\1/p' \
    "$folder/Dockerfile" "$folder/compose.yaml" | sed 's/@.*//' | sort -u)
[ -n "$images" ] || fail "$folder: expected images with tags in Dockerfile and compose.yaml, found none"
pins=''
for image in $images; do # all are asked for before a file is changed
    digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$image") ||
        fail "$image: the registry does not tell its digest; nothing was changed"
    case $digest in
    sha256:*[!0-9a-f]*) fail "$image: expected a sha256 digest, found $digest" ;;
    sha256:????????????????????????????????????????????????????????????????) ;;
    *) fail "$image: expected a sha256 digest, found $digest" ;;
    esac
    pins="$pins$image@$digest
"
done
for file in Dockerfile compose.yaml; do
    cp "$folder/$file" "$folder/$file.part"
    for pin in $pins; do
        image=${pin%@*}
        sed "s#\\(FROM \\|image: \\)$image\\(@sha256:[0-9a-f]*\\)\\{0,1\\}\\( .*\\)\\{0,1\\}\$#\\1$pin\\3#" \
            "$folder/$file.part" > "$folder/$file.next"
        mv "$folder/$file.next" "$folder/$file.part"
    done
    cat "$folder/$file.part" > "$folder/$file"
    rm "$folder/$file.part"
done
printf '%s' "$pins"
