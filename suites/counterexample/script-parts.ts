/** The parts of a script that are the same in all of them: sending, reading answers, checking expectations. */

export const sending = String.raw`dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

need() { [ -n "${'$'}{!1:-}" ] || { echo "set $1: $2" >&2; exit 2; }; }
have() { command -v "$1" >/dev/null || { echo "$1 is not installed" >&2; exit 2; }; }
have curl
have jq

digits() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n' | cut -c "1-$1"; }
new_uuid() {
  local d
  d=$(digits 32)
  echo "${'$'}{d:0:8}-${'$'}{d:8:4}-4${'$'}{d:13:3}-8${'$'}{d:17:3}-${'$'}{d:20:12}"
}

# send STEP METHOD PATH [OPTION...]: stores the response in $dir/STEP.{status,headers,body}
send() {
  local step=$1 method=$2 path=$3
  shift 3
  : >"$dir/$step.headers"
  : >"$dir/$step.body"
  curl -sS -N --http1.1 --path-as-is --max-time 60 -H 'Expect:' "$@" -X "$method" -D "$dir/$step.headers" \
    -o "$dir/$step.body" -w '%{http_code}' "${'$'}{BASE_URL%/}$path" >"$dir/$step.status" 2>"$dir/$step.trouble" || true
}

status_of() { cat "$dir/$1.status"; }
header_of() { tr -d '\r' <"$dir/$1.headers" | awk -v name="$2:" 'tolower($1) == tolower(name) { $1 = ""; print substr($0, 2) }'; }
is_stream() { header_of "$1" content-type | grep -qi 'text/event-stream'; }
events_of() { tr -d '\r' <"$dir/$1.body" | sed -n 's/^data: \{0,1\}//p' | jq -cR 'fromjson? | objects'; }

# The final fields of a response: its JSON body, or the first done event of its stream.
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
}`

/** Needs the variable `replay_header`. */
export const checking = String.raw`failed=0
inconclusive=''

fail() { failed=1; echo "FAIL $1: expected $2, got $3"; }
is_turn() { [ "$(status_of "$1")" = 200 ] && ! header_of "$1" "$replay_header" | grep -qviE '^(false|0|no|)$'; }

# No response, or one that has nothing to do with the failure.
went_well() {
  case "$(status_of "$1")" in
    000 | 401 | 402 | 403 | 404 | 429 | 5*) inconclusive="$1 got $(status_of "$1")" ;;
  esac
}
answered() {
  case "$(status_of "$1")" in
    "$2") ;;
    000 | 402 | 429 | 502 | 503 | 504) inconclusive="$1 got $(status_of "$1")" ;;
  esac
}

check_status() {
  local got
  got=$(status_of "$1")
  if [ "$got" -lt "$2" ] || [ "$got" -gt "$3" ]; then fail "$1" "a status from $2 to $3" "$got"; fi
}
check_header() {
  local got
  got=$(header_of "$1" "$2")
  case "$3" in
    is) if [ "$got" != "$4" ]; then fail "$1" "header $2: $4" "${'$'}{got:-none}"; fi ;;
    has) case "$got" in *"$4"*) ;; *) fail "$1" "$4 in header $2" "${'$'}{got:-none}" ;; esac ;;
    none) if printf '%s\n' "$got" | grep -qviE '^(false|0|no|)$'; then fail "$1" "no header $2" "$got"; fi ;;
  esac
}
check_field() {
  if ! final_of "$1" | jq -e --arg name "$2" "try (.[\$name] | $3) catch false" >/dev/null; then
    fail "$1" "$2: $4" "$(final_of "$1" | jq -c --arg name "$2" 'try .[$name] catch null')"
  fi
}
check_same() {
  [ "$(status_of "$1")" = 200 ] || return 0
  local one other
  one=$(final_of "$1" | jq -cS --arg name "$2" 'try .[$name] catch null')
  other=$(final_of "$3" | jq -cS --arg name "$2" 'try .[$name] catch null')
  if [ "$4" = same ] && [ "$one" != "$other" ]; then fail "$1" "$2: $other, as of $3" "$one"; fi
  if [ "$4" = unlike ] && [ "$one" = "$other" ]; then fail "$1" "another $2 than that of $3" "$one"; fi
}
check_code() {
  if ! jq -e --arg word "$2" '[.. | strings | select(contains($word))] | length > 0' "$dir/$1.body" >/dev/null 2>&1; then
    fail "$1" "$2 in a text" "$(head -c 200 "$dir/$1.body")"
  fi
}
check_events() {
  local got
  got=$(events_of "$1" | jq -s --arg type "$2" 'map(select(.type == $type)) | length')
  if [ "$got" != "$3" ]; then fail "$1" "$3 events $2" "$got"; fi
}
check_no_turn() {
  if is_turn "$1"; then fail "$1" 'a replay or a refusal' 'a turn that ran: 200, not a replay'; fi
}
check_one_run() {
  local ran=0 step
  for step in "$@"; do if is_turn "$step"; then ran=$((ran + 1)); fi; done
  if [ "$ran" -gt 1 ]; then fail "$1" 'one turn that ran' "$ran turns that are no replays"; fi
}`
