#!/usr/bin/env bash
# IDEM-STREAM-REPLAY-HEADER (must): The replay of a stream carries the replay header.
# Contract: States and transitions, Key completed
# Story:    a streamed reply is replayed, also after another turn of its conversation
# Check:    idempotency-replay/stream/IDEM-STREAM-REPLAY-HEADER
# Expected: header x-service-idempotent-replay: true
# Got:      no such header
# Found by touchstone 0.1.0, run b3cfce0d-be02-4cfb-bd6b-5ec3a64b8f03 of 2026-11-23T03:37:28.289Z, seed 1.
#
# BASE_URL=… AGENT_ID=… API_KEY=… bash repro.sh
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
need API_KEY 'an API key: ordinary, with chat'

tell() {
  key_1=$(digits 32)
  key_2=$(digits 32)
  printf '%s' '{"message":"Kagerecg first clear kind booking ticket order near morning. Market train room music later water house house order. Clear clear house travel order quiet letter menu water. Room order today plain kind people could light plain. Week evening house train green colour write visit room. Green light week people kind early lunch order city. Morning kind window green near music water travel window. Green quiet water street winter room letter clear city. Booking answer light garden change world market window window. Clear street street window little clear family write before. Market garden clear later evening winter day today about. Evening morning travel window light week table paper lunch. Garden week about morning day winter train along clear. Small booking winter near week city change market little. Near week family market house order garden write street. Small room quiet about weather season other answer near. Near street house house near after street visit paper. River answer weather street world travel order ticket later. People travel booking little near about morning kind could. Along weather morning people booking ticket order light plain. Street hotel room order city morning small season answer. After city morning visit answer window clear weather paper. House hotel garden family people menu green colour quiet. City city house window window city place house lunch. Could first quiet menu house other little clear letter. World day little room after city people booking winter. Today plain menu booking day room letter clear about. Evening house white garden clear small booking hotel green. Quiet place small booking lunch quiet near street menu. Could window white weather visit day before week table. Family small small window near near small early window. Along today water family before window colour after street. Write other ticket after garden place small day room. Order later evening before room ticket garden write street. People travel window music weather street hotel room white. Week family early hotel room along family city house. Before today near music menu lunch ticket river morning. Kind visit hotel hotel near city city hotel train. Near plain later market visit river near table place. House paper colour letter place weather early hotel ticket. Garden clear world travel river garden letter weather paper. House day little near change menu house white garden. Music morning visit train white garden plain visit small. Window river later city change before along letter first. Booking winter lunch white white city small small white. Light city evening world answer lunch first city kind. Early window could table write early menu train white. Letter weather street other little first weather write menu. Could window ticket after city season before window music. Weather change booking lunch light music weather evening lunch. Hotel near first world small season river plain write. Water room order along music music small hotel hotel. Music about small travel other quiet along water small. Winter train near today kind paper train before light. Music write menu house colour after water menu paper. Before today near letter place small green river near. Change menu season room along about change menu travel. Along white city water other hotel green first evening. Paper market garden clear plain change change hotel white. White change people hotel little colour family plain market. Hotel order light city later winter could light river. About change paper before window table place market before. Could river later city write early hotel week first. City season before green garden plain people season before. Little plain music small market colour white week water. Travel could answer weather street evening season season white. Music music season day white after table visit evening. Answer white clear about small world order today about. First people season could river near kind early answer. River today first world small paper train white.","stream":true,"idempotency_key":"touchstone-'"$key_1"'"}' >"$dir/first.sent"
  send first POST /api/v1/chat/"$AGENT_ID" -H 'Authorization: ''Bearer '"$API_KEY" -H 'Content-Type: 'application/json --data-binary "@$dir/first.sent"
  show first
  printf '%s' '{"message":"Kagerecg first clear kind booking ticket order near morning. Market train room music later water house house order. Clear clear house travel order quiet letter menu water. Room order today plain kind people could light plain. Week evening house train green colour write visit room. Green light week people kind early lunch order city. Morning kind window green near music water travel window. Green quiet water street winter room letter clear city. Booking answer light garden change world market window window. Clear street street window little clear family write before. Market garden clear later evening winter day today about. Evening morning travel window light week table paper lunch. Garden week about morning day winter train along clear. Small booking winter near week city change market little. Near week family market house order garden write street. Small room quiet about weather season other answer near. Near street house house near after street visit paper. River answer weather street world travel order ticket later. People travel booking little near about morning kind could. Along weather morning people booking ticket order light plain. Street hotel room order city morning small season answer. After city morning visit answer window clear weather paper. House hotel garden family people menu green colour quiet. City city house window window city place house lunch. Could first quiet menu house other little clear letter. World day little room after city people booking winter. Today plain menu booking day room letter clear about. Evening house white garden clear small booking hotel green. Quiet place small booking lunch quiet near street menu. Could window white weather visit day before week table. Family small small window near near small early window. Along today water family before window colour after street. Write other ticket after garden place small day room. Order later evening before room ticket garden write street. People travel window music weather street hotel room white. Week family early hotel room along family city house. Before today near music menu lunch ticket river morning. Kind visit hotel hotel near city city hotel train. Near plain later market visit river near table place. House paper colour letter place weather early hotel ticket. Garden clear world travel river garden letter weather paper. House day little near change menu house white garden. Music morning visit train white garden plain visit small. Window river later city change before along letter first. Booking winter lunch white white city small small white. Light city evening world answer lunch first city kind. Early window could table write early menu train white. Letter weather street other little first weather write menu. Could window ticket after city season before window music. Weather change booking lunch light music weather evening lunch. Hotel near first world small season river plain write. Water room order along music music small hotel hotel. Music about small travel other quiet along water small. Winter train near today kind paper train before light. Music write menu house colour after water menu paper. Before today near letter place small green river near. Change menu season room along about change menu travel. Along white city water other hotel green first evening. Paper market garden clear plain change change hotel white. White change people hotel little colour family plain market. Hotel order light city later winter could light river. About change paper before window table place market before. Could river later city write early hotel week first. City season before green garden plain people season before. Little plain music small market colour white week water. Travel could answer weather street evening season season white. Music music season day white after table visit evening. Answer white clear about small world order today about. First people season could river near kind early answer. River today first world small paper train white.","stream":true,"idempotency_key":"touchstone-'"$key_1"'"}' >"$dir/again.sent"
  send again POST /api/v1/chat/"$AGENT_ID" -H 'Authorization: ''Bearer '"$API_KEY" -H 'Content-Type: 'application/json --data-binary "@$dir/again.sent"
  show again
  printf '%s' '{"message":"Fbmnaghd near first visit day travel al.","conversation_id":'"$(json_of first /conversation_id)"',"idempotency_key":"touchstone-'"$key_2"'"}' >"$dir/other.sent"
  send other POST /api/v1/chat/"$AGENT_ID" -H 'Authorization: ''Bearer '"$API_KEY" -H 'Content-Type: 'application/json --data-binary "@$dir/other.sent"
  show other
  printf '%s' '{"message":"Kagerecg first clear kind booking ticket order near morning. Market train room music later water house house order. Clear clear house travel order quiet letter menu water. Room order today plain kind people could light plain. Week evening house train green colour write visit room. Green light week people kind early lunch order city. Morning kind window green near music water travel window. Green quiet water street winter room letter clear city. Booking answer light garden change world market window window. Clear street street window little clear family write before. Market garden clear later evening winter day today about. Evening morning travel window light week table paper lunch. Garden week about morning day winter train along clear. Small booking winter near week city change market little. Near week family market house order garden write street. Small room quiet about weather season other answer near. Near street house house near after street visit paper. River answer weather street world travel order ticket later. People travel booking little near about morning kind could. Along weather morning people booking ticket order light plain. Street hotel room order city morning small season answer. After city morning visit answer window clear weather paper. House hotel garden family people menu green colour quiet. City city house window window city place house lunch. Could first quiet menu house other little clear letter. World day little room after city people booking winter. Today plain menu booking day room letter clear about. Evening house white garden clear small booking hotel green. Quiet place small booking lunch quiet near street menu. Could window white weather visit day before week table. Family small small window near near small early window. Along today water family before window colour after street. Write other ticket after garden place small day room. Order later evening before room ticket garden write street. People travel window music weather street hotel room white. Week family early hotel room along family city house. Before today near music menu lunch ticket river morning. Kind visit hotel hotel near city city hotel train. Near plain later market visit river near table place. House paper colour letter place weather early hotel ticket. Garden clear world travel river garden letter weather paper. House day little near change menu house white garden. Music morning visit train white garden plain visit small. Window river later city change before along letter first. Booking winter lunch white white city small small white. Light city evening world answer lunch first city kind. Early window could table write early menu train white. Letter weather street other little first weather write menu. Could window ticket after city season before window music. Weather change booking lunch light music weather evening lunch. Hotel near first world small season river plain write. Water room order along music music small hotel hotel. Music about small travel other quiet along water small. Winter train near today kind paper train before light. Music write menu house colour after water menu paper. Before today near letter place small green river near. Change menu season room along about change menu travel. Along white city water other hotel green first evening. Paper market garden clear plain change change hotel white. White change people hotel little colour family plain market. Hotel order light city later winter could light river. About change paper before window table place market before. Could river later city write early hotel week first. City season before green garden plain people season before. Little plain music small market colour white week water. Travel could answer weather street evening season season white. Music music season day white after table visit evening. Answer white clear about small world order today about. First people season could river near kind early answer. River today first world small paper train white.","stream":true,"idempotency_key":"touchstone-'"$key_1"'"}' >"$dir/later.sent"
  send later POST /api/v1/chat/"$AGENT_ID" -H 'Authorization: ''Bearer '"$API_KEY" -H 'Content-Type: 'application/json --data-binary "@$dir/later.sent"
  show later
}

replay_header=x-service-idempotent-replay

seen=0
unsure=''

broken() { seen=1; echo "BROKEN $1: expected $2, got $3"; }
is_turn() { [ "$(status_of "$1")" = 200 ] && ! header_of "$1" "$replay_header" | grep -qviE '^(false|0|no|)$'; }

# What came back says nothing of the failure: no answer, or one that is about something else.
went_well() {
  case "$(status_of "$1")" in
    000 | 401 | 402 | 403 | 404 | 429 | 5*) unsure="$1 was answered $(status_of "$1")" ;;
  esac
}
answered() {
  case "$(status_of "$1")" in
    "$2") ;;
    000 | 402 | 429 | 503) unsure="$1 was answered $(status_of "$1")" ;;
  esac
}

look_status() {
  local got
  got=$(status_of "$1")
  if [ "$got" -lt "$2" ] || [ "$got" -gt "$3" ]; then broken "$1" "a status from $2 to $3" "$got"; fi
}
look_header() {
  local got
  got=$(header_of "$1" "$2")
  case "$3" in
    is) if [ "$got" != "$4" ]; then broken "$1" "header $2: $4" "${got:-none}"; fi ;;
    has) case "$got" in *"$4"*) ;; *) broken "$1" "$4 in header $2" "${got:-none}" ;; esac ;;
    none) if printf '%s\n' "$got" | grep -qviE '^(false|0|no|)$'; then broken "$1" "no header $2" "$got"; fi ;;
  esac
}
look_field() {
  if ! final_of "$1" | jq -e --arg name "$2" "try (.[\$name] | $3) catch false" >/dev/null; then
    broken "$1" "$2: $4" "$(final_of "$1" | jq -c --arg name "$2" 'try .[$name] catch null')"
  fi
}
look_same() {
  [ "$(status_of "$1")" = 200 ] || return 0
  local one other
  one=$(final_of "$1" | jq -cS --arg name "$2" 'try .[$name] catch null')
  other=$(final_of "$3" | jq -cS --arg name "$2" 'try .[$name] catch null')
  if [ "$4" = same ] && [ "$one" != "$other" ]; then broken "$1" "$2: $other, as of $3" "$one"; fi
  if [ "$4" = unlike ] && [ "$one" = "$other" ]; then broken "$1" "another $2 than that of $3" "$one"; fi
}
look_says() {
  if ! jq -e --arg word "$2" '[.. | strings | select(contains($word))] | length > 0' "$dir/$1.body" >/dev/null 2>&1; then
    broken "$1" "$2 in a text" "$(head -c 200 "$dir/$1.body")"
  fi
}
look_events() {
  local got
  got=$(events_of "$1" | jq -s --arg type "$2" 'map(select(.type == $type)) | length')
  if [ "$got" != "$3" ]; then broken "$1" "$3 events $2" "$got"; fi
}
look_no_turn() {
  if is_turn "$1"; then broken "$1" 'a replay or a refusal' 'a turn that ran: 200, not a replay'; fi
}
look_one_run() {
  local ran=0 step
  for step in "$@"; do if is_turn "$step"; then ran=$((ran + 1)); fi; done
  if [ "$ran" -gt 1 ]; then broken "$1" 'one turn that ran' "$ran turns that are no replays"; fi
}

judge() {
  went_well first
  answered again 200
  went_well other
  went_well later
  look_header again x-service-idempotent-replay is true
}

for ((try = 1; try <= ${TRIES:-1}; try++)); do
  seen=0
  unsure=''
  tell
  judge
  if [ "$seen" = 1 ] || [ -n "$unsure" ]; then break; fi
done
echo 'expected: header x-service-idempotent-replay: true'
echo 'got then: no such header'
if [ -n "$unsure" ]; then echo "CANNOT TELL: $unsure"; exit 3; fi
if [ "$seen" = 1 ]; then echo FAILS; exit 1; fi
echo 'It does not show.'
