#!/bin/sh
# Install the system packages that help, where that is possible and they are not there. Nothing fails for want of them.
set -u
export DEBIAN_FRONTEND=noninteractive

missing=''
command -v bwrap >/dev/null 2>&1 || missing='bubblewrap'
[ -e /usr/share/fonts/truetype/wqy/wqy-microhei.ttc ] || missing="$missing fonts-wqy-microhei"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "system packages not there (\`cibench doctor\` says what they are for): sudo apt-get install" $missing
    exit 0
fi

apt() {
    apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@" \
        >/dev/null 2>&1 </dev/null
}

updated=''
for package in $missing; do
    echo "system package $package: installing"
    apt install -y --no-install-recommends "$package" && continue
    [ -n "$updated" ] || apt update
    updated=yes
    apt install -y --no-install-recommends "$package" ||
        echo "system package $package: could not be installed (\`cibench doctor\` says what it is for)"
done
exit 0
