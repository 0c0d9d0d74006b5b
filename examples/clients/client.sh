#!/bin/sh
# A client of the service with curl, awk and tr: a turn of chat, whole or as a stream.
#
# `touchstone client --can chat,stream -- sh examples/clients/client.sh` starts it anew for each turn and hands it over
# in the environment. Nothing of it needs jq: the response is passed on as the service wrote it.
set -u
LC_ALL=C
export LC_ALL

# With the service's own word in place of SERVICE: ACME_BASE_URL and ACME_API_KEY.
base_url=$SERVICE_BASE_URL
base_url=${base_url%/}
api_key=$SERVICE_API_KEY

most_tries=4
# The longest Retry-After, in seconds, that is worth waiting for; beyond it the error is reported.
longest_wait=4

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

report() { printf 'touchstone %s\n' "$1"; }

# Functions of awk: a text as JSON, and the value of a member of an object, as it is written; nested ones are skipped.
functions='
function quoted(text,   out, i, c) {
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (c == "\"" || c == "\\") c = "\\" c
    else if (c < " ") c = sprintf("\\u%04x", index(controls, c))
    out = out c
  }
  return "\"" out "\""
}
function member(name, json,   i, c, depth, start, key, colon, inside) {
  for (i = 1; i <= length(json); i++) {
    c = substr(json, i, 1)
    if (inside) {
      if (c == "\\") i++
      else if (c == "\"") {
        inside = 0
        if (depth == 1 && !colon) key = substr(json, start, i - start + 1)
      }
    } else if (c == "\"") {
      inside = 1
      if (!colon) start = i
    } else if (c == ":" && depth == 1) { colon = 1; start = i + 1 }
    else if (c == "{" || c == "[") depth++
    else if ((c == "," && depth == 1) || ((c == "}" || c == "]") && depth-- == 1)) {
      if (colon && key == "\"" name "\"") return trimmed(substr(json, start, i - start))
      colon = 0
    }
  }
  return ""
}
function trimmed(text) { gsub(/^[ \t\r\n]+|[ \t\r\n]+$/, "", text); return text }
BEGIN { for (n = 1; n < 32; n++) controls = controls sprintf("%c", n) }
'

quoted() { TEXT=$1 awk "$functions"'BEGIN { printf "%s", quoted(ENVIRON["TEXT"]) }'; }
# As one part of an address: every byte but letters, digits and a few signs is written as its number.
encoded() {
  TEXT=$1 awk 'BEGIN {
    for (n = 1; n < 256; n++) number[sprintf("%c", n)] = sprintf("%%%02X", n)
    text = ENVIRON["TEXT"]
    for (i = 1; i <= length(text); i++) {
      c = substr(text, i, 1)
      printf "%s", c ~ /[A-Za-z0-9._~-]/ ? c : number[c]
    }
  }'
}
# Of the body that came last.
member() { NAME=$1 awk "$functions"'{ json = json $0 "\n" } END { printf "%s", member(ENVIRON["NAME"], json) }' "$work/body"; }

# The same file is sent each time: the same bytes, with the same key.
write_request() {
  printf '{"message":%s' "$(quoted "$TOUCHSTONE_MESSAGE")"
  [ -z "${TOUCHSTONE_CONVERSATION_ID-}" ] || printf ',"conversation_id":%s' "$(quoted "$TOUCHSTONE_CONVERSATION_ID")"
  # As it was copied from a presentation.
  [ -z "${TOUCHSTONE_INTERACTION-}" ] || printf ',"interaction":%s' "$TOUCHSTONE_INTERACTION"
  [ "$TOUCHSTONE_ACTION" = chat ] || printf ',"stream":true'
  printf '}'
}

# Headers of curl in a file: on its command line every process of the machine could read the key.
write_headers() {
  printf 'Authorization: Bearer %s\n' "$api_key"
  printf 'Content-Type: application/json\n'
  printf 'Idempotency-Key: %s\n' "$TOUCHSTONE_IDEMPOTENCY_KEY"
}

# Says each event as its line comes, and leaves the type of the last in a file. Each data line is an event; comments
# and other fields are passed over, and so is whatever follows `done`. tr and awk may hold lines back for a while.
say_events() {
  # What stands behind the last line end was cut off: with a letter more it is the line that is held back for ever.
  { tr '\r' '\n' && echo x; } | LAST="$work/last" awk "$functions"'
    # A byte order mark may stand before all of it.
    NR == 1 { sub(/^\357\273\277/, "") }
    held ~ /^data:/ && type != "\"done\"" {
      event = substr(held, 6)
      type = member("type", event)
      print "touchstone {\"saw\":\"event\",\"event\":" event "}"
      if (type == "\"done\"") print "touchstone {\"saw\":\"reply\",\"reply\":" event "}"
      fflush()
      print type > ENVIRON["LAST"]
      close(ENVIRON["LAST"])
    }
    { held = $0 }'
}

post() {
  rm -f "$work/head" "$work/body" "$work/last" "$work/curl"
  { curl -sS -N --max-time 300 -H "@$work/headers" --data-binary "@$work/request" -D "$work/head" \
    "$base_url/api/v1/chat/$(encoded "$TOUCHSTONE_AGENT")" || echo $? >"$work/curl"; } | tee "$work/body" | say_events
  status=$(awk '/^HTTP\// { status = $2 } END { print status }' "$work/head" 2>/dev/null)
  last=$(cat "$work/last" 2>/dev/null)
}

# Seconds until the same request may go out again, or nothing where it must not.
pause() {
  [ -z "$last" ] || return
  # The connection broke, and nobody knows what became of the turn: its key makes it safe to ask again.
  if [ -e "$work/curl" ]; then echo 0.5; return; fi
  case $status in
    503) echo 0.5 ;;
    409) if grep -q '"REQUEST_IN_PROGRESS' "$work/body"; then echo 0.5; fi ;;
    429)
      seconds=$(member retry_after_seconds)
      awk -v seconds="${seconds:-1}" -v most="$longest_wait" 'BEGIN { if (seconds + 0 <= most) print seconds }'
      ;;
  esac
}

say_error() {
  if [ "$last" = '"error"' ]; then
    report '{"saw":"error","error":{"message":"the service broke off in the middle of the reply"}}'
    return
  fi
  if [ -n "$last" ] || [ -z "$status" ] || [ "$status" = 200 ]; then
    report '{"saw":"error","error":{"message":"the answer ended before it was whole"}}'
    return
  fi
  code=$(awk 'match($0, /"[A-Z]+(_[A-Z]+)+"/) { print substr($0, RSTART, RLENGTH); exit }' "$work/body")
  seconds=$(member retry_after_seconds)
  report "{\"saw\":\"error\",\"error\":{\"status\":$status,\"code\":${code:-null}${seconds:+,\"retryAfterSeconds\":$seconds}}}"
}

if [ -z "${TOUCHSTONE_IDEMPOTENCY_KEY-}" ]; then
  report '{"saw":"error","error":{"code":"IDEMPOTENCY_KEY_REQUIRED"}}'
  exit 1
fi
umask 077
write_request >"$work/request"
write_headers >"$work/headers"

tries=1
while :; do
  post
  [ "$last" != '"done"' ] || exit 0
  if [ "$status" = 200 ] && [ -z "$last" ] && [ ! -e "$work/curl" ] && [ -n "$(member response)" ]; then
    report "{\"saw\":\"reply\",\"reply\":$(tr '\r\n' '  ' <"$work/body")}"
    exit 0
  fi
  wait=$(pause)
  if [ -z "$wait" ] || [ "$tries" -ge "$most_tries" ]; then
    say_error
    exit 1
  fi
  sleep "$wait"
  tries=$((tries + 1))
done
