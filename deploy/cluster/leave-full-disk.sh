#!/bin/sh
# Gives the leader's place to a standby before the disk of this node is full: a full PostgreSQL refuses writes but keeps
# running, so Patroni sees nothing wrong. Run by patroni-disk.service. The place and the address are those of patroni.yml.
set -eu

DATA=/var/lib/postgresql
NODE=http://192.0.2.11:8008
NAME=db1
# Kilobytes.
ENOUGH=262144

while sleep 3; do
  free=$(df --output=avail --block-size=1K "$DATA" | tail -n 1)
  [ "$free" -ge "$ENOUGH" ] && continue
  # Only the leader answers 200. The standby that takes over has everything acknowledged.
  curl --silent --fail --max-time 2 "$NODE/leader" >/dev/null || continue
  echo "Only $free KB are free in $DATA: $NAME gives its place to a standby."
  curl --silent --max-time 30 "$NODE/switchover" --data "{\"leader\": \"$NAME\"}" || true
done
