#!/usr/bin/env bash
# ATT-SAME-ID (must): All attempts of a delivery carry the same delivery id.
# Contract: Events, Webhook deliveries, x-service-delivery-id; Events, Webhook deliveries, at least once
# Story:    a delivery that fails twice is tried three times, each time as whole as the first
# Check:    retries/recovered/ATT-SAME-ID
# Expected: the same id at every attempt
# Got:      whd_4175e3351ced4cbdb45c998f014d449e, whd_4175e3351ced4cbdb45c998f014d449e3
# Found by touchstone 0.1.0, run b529ee4b-4fb4-466e-88a3-be71d37453a1 of 2026-11-23T08:36:39.196Z, seed 1.
# By hand, before the requests that need it: event.leads.submit (in the run by control).
# By hand, before the requests that need it: a receiver of deliveries, at the addresses in the bodies.
# This tells what requests can; `touchstone replay` tells all of it: it needs event.leads.submit; it needs a signed-in user; it needs a receiver of deliveries; it has requests of more kinds than chat and reads.
#
# BASE_URL=… AGENT_ID=… SESSION_COOKIE=… BY_HAND=… bash repro.sh
# Ends with 1 where the failure shows, 0 where it does not, 2 where something is missing, 3 where it cannot tell.

set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

need() { [ -n "${!1:-}" ] || { echo "set $1: $2" >&2; exit 2; }; }
have() { command -v "$1" >/dev/null || { echo "$1 is not installed" >&2; exit 2; }; }
have curl
have jq

digits() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n' | cut -c "1-$1"; }
new_uuid() {
  local d
  d=$(digits 32)
  echo "${d:0:8}-${d:8:4}-4${d:13:3}-8${d:17:3}-${d:20:12}"
}

# send STEP METHOD PATH [OPTION...]: leaves the answer in $dir/STEP.{status,headers,body}
send() {
  local step=$1 method=$2 path=$3
  shift 3
  : >"$dir/$step.headers"
  : >"$dir/$step.body"
  curl -sS -N --http1.1 --path-as-is --max-time 60 -H 'Expect:' "$@" -X "$method" -D "$dir/$step.headers" \
    -o "$dir/$step.body" -w '%{http_code}' "${BASE_URL%/}$path" >"$dir/$step.status" 2>"$dir/$step.trouble" || true
}

status_of() { cat "$dir/$1.status"; }
header_of() { tr -d '\r' <"$dir/$1.headers" | awk -v name="$2:" 'tolower($1) == tolower(name) { $1 = ""; print substr($0, 2) }'; }
is_stream() { header_of "$1" content-type | grep -qi 'text/event-stream'; }
events_of() { tr -d '\r' <"$dir/$1.body" | sed -n 's/^data: \{0,1\}//p' | jq -cR 'fromjson? | objects'; }

# The final fields of an answer: its JSON body, or the first done event of its stream.
final_of() {
  if is_stream "$1"; then events_of "$1" | jq -cs 'map(select(.type == "done"))[0]'
  else jq -c . "$dir/$1.body" 2>/dev/null || echo null; fi
}
json_of() {
  final_of "$1" | jq -c --arg at "$2" 'getpath($at | split("/")[1:] | map(if test("^[0-9]+$") then tonumber else . end))'
}
text_of() { json_of "$1" "$2" | jq -r .; }

show() {
  printf '%-14s %s  ' "$1" "$(status_of "$1")"
  head -c 240 "$dir/$1.body" | tr '\r\n' '  '
  cat "$dir/$1.trouble"
  echo
}

need BASE_URL 'the address of the service, such as https://staging.example'
need AGENT_ID 'the id of an agent: plain'
need SESSION_COOKIE 'the header Cookie of a signed-in user'
need BY_HAND 'yes, once this was brought about: event.leads.submit (in the run by control); a receiver of deliveries, at the addresses in the bodies'

tell() {
  printf '%s' '{"name":"touchstone Gscnjmch week eveni.","endpoint_url":"http://localhost:45705/b529ee4b-4fb4-466e-88a3-be71d37453a1/retries/recovered/1","events":["leads.submit"],"custom_headers":{"X-Touchstone-Mark":"a:mark","x-other-mark":"two words; and=more"}}' >"$dir/hook.sent"
  send hook POST /api/agents/"$AGENT_ID"/webhooks -H 'Cookie: '"$SESSION_COOKIE" -H 'Content-Type: 'application/json --data-binary "@$dir/hook.sent"
  show hook
  sleep 0.328
  send cleanup DELETE /api/agents/"$AGENT_ID"/webhooks/"$(text_of hook /id)" -H 'Cookie: '"$SESSION_COOKIE"
  show cleanup
}

tell
echo 'expected: the same id at every attempt'
echo 'got then: whd_4175e3351ced4cbdb45c998f014d449e, whd_4175e3351ced4cbdb45c998f014d449e3'
echo 'Look at the answers above: no single status, header or member shows it.'
exit 3
