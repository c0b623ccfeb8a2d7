#!/usr/bin/env bash
# Builds the image of deploy/Dockerfile without a daemon and without an image registry, and runs it like a platform. It
# does not run as root, its file system is read-only, and only /data and /tmp are writable. Debian's tools make the base
# image, with the Node from npm. Needs root, buildah and mmdebstrap.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
unpacked_mb_max=550
work=$(mktemp -d /var/tmp/svc-image-XXXXXX)
storage=(--storage-driver vfs --root "$work/storage" --runroot "$work/run")
build() { buildah "${storage[@]}" "$@"; }
clean() {
  [ -z "${service:-}" ] || kill "$service" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap clean EXIT
say() { printf 'image: %s\n' "$1"; }
fail() { say "$1" >&2; exit 1; }

say 'making a base of Debian 12 with Node'
mmdebstrap --quiet --variant=minbase --include=ca-certificates,tini \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*' bookworm "$work/base.tar"
base=$(build from scratch)
build add --quiet "$base" "$work/base.tar" / >/dev/null
node_home=$(dirname "$(readlink -f "$(command -v node)")")
node=$(find node_modules/node-linux-*/bin/node -maxdepth 0 -print -quit 2>/dev/null || true)
[ -n "$node" ] || node=$node_home/node
build copy --quiet "$base" "$node" /usr/local/bin/node >/dev/null
npm_home=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
build copy --quiet "$base" "$npm_home" /usr/local/lib/node_modules/npm >/dev/null
build run --isolation chroot "$base" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
# Adds the certificates that this machine trusts, so that npm can reach a registry behind a proxy.
build copy --quiet "$base" /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt >/dev/null
build config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$base"
build commit --quiet "$base" svc-base >/dev/null
base_mb=$(($(stat -c %s "$work/base.tar") / 1048576))

say 'building deploy/Dockerfile'
build bud --quiet --isolation chroot --layers=false --pull-never --format docker \
  --ignorefile deploy/Dockerfile.dockerignore --build-arg BASE=localhost/svc-base \
  -f deploy/Dockerfile -t svc . >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log" >&2; fail 'the build failed (above).'; }
container=$(build from --pull-never localhost/svc)
tree=$(build mount "$container")
unpacked_mb=$(du -sm --apparent-size "$tree" | cut -f1)
compressed_mb=$(($(tar -C "$tree" -c . | gzip -1 | wc -c) / 1048576))
say "unpacked $unpacked_mb MB, of which the base's Debian $base_mb MB; compressed (gzip -1) $compressed_mb MB"
# Each reader of a pipe reads to the end: an early exit would fail the writer.
du -m -d 2 "$tree/app" 2>/dev/null | sort -rn | sed -n "1,6{s|$tree||;s|^|image: MB |;p}"
[ "$unpacked_mb" -le "$unpacked_mb_max" ] || fail "it may have $unpacked_mb_max MB."
[ -s "$tree/app/sbom.cdx.json" ] || fail 'it carries no bill of materials.'
for absent in /app/node_modules/vite /app/node_modules/typescript /app/packages/testkit /app/.git; do
  [ ! -e "$tree$absent" ] || fail "$absent does not belong into it."
done

say 'starting it read-only, as uid 10001'
mkdir "$work/data" && chown 10001:10001 "$work/data" && chmod 0755 "$work"
port=$((20000 + RANDOM % 10000))
in_image() {
  unshare --mount --pid --fork bash -c '
    set -e; tree=$1; data=$2; shift 2
    mount --rbind "$tree" "$tree"; mount -o remount,bind,ro "$tree"
    mount --bind "$data" "$tree/data"; mount -t tmpfs -o mode=1777 tmpfs "$tree/tmp"
    mount -t proc proc "$tree/proc"; mount --rbind /dev "$tree/dev"
    exec chroot --userspec=10001:10001 "$tree" "$@"' _ "$tree" "$work/data" "$@"
}
in_image /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/tmp Svc__DataDirectory=/data Svc__Host__Address=127.0.0.1 \
  Svc__Host__Port=$port Svc__UserManagement__SetupToken=a-token-of-the-check-of-the-image \
  /usr/bin/tini-static -- node --conditions=svc-source /app/apps/host/src/cli.ts start --no-demo 2>"$work/service.log" &
service=$!
for _ in $(seq 1 240); do
  grep -q '^Ready: ' "$work/service.log" && break
  kill -0 "$service" 2>/dev/null || { cat "$work/service.log" >&2; fail 'it ended (above).'; }
  sleep 0.5
done
answer=$(curl -fsS "http://127.0.0.1:$port/readyz") || { cat "$work/service.log" >&2; fail 'it is not ready (above).'; }
say "ready: $answer"
page=$(curl -fsS "http://127.0.0.1:$port/svc/setup")
[[ $page == *'<div id="root"'* ]] || fail 'it serves no pages.'
in_image /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin Svc__Host__Port=$port Svc__Host__Address=127.0.0.1 \
  node --conditions=svc-source /app/apps/host/src/cli.ts health || fail 'its health check fails.'
say 'stopping it'
inner=$(pgrep -o -f 'cli.ts start --no-demo' -u 10001)
kill -TERM "$inner"
wait "$service" && code=0 || code=$?
service=''
[ "$code" -eq 0 ] || fail "it ended with $code instead of 0."
say 'good'
