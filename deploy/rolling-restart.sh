#!/bin/sh
# Restarts the instances on the ports one after the other, each once the one before is ready again:
# "rolling-restart.sh 8001 8002". Migrations fit the code before and after: both run for a while.
set -eu
for port in "$@"; do
    systemctl restart "seeother@$port"
    tries=0
    until curl --fail --silent --output /dev/null "http://127.0.0.1:$port/readyz"; do
        tries=$((tries + 1))
        if [ "$tries" -ge 60 ]; then
            echo "Cannot go on: the instance on port $port is not ready after 30 s. See journalctl -u seeother@$port." >&2
            exit 1
        fi
        sleep 0.5
    done
    # Load balancers look twice before they come back.
    sleep 3
done
