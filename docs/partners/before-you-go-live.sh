#!/usr/bin/env bash
# Goes through all that docs/partners/before-you-go-live.md asks for, and through an order's life beside it, against the local platform:
#   WEBHOOK_ALLOWED_PRIVATE_TARGETS=127.0.0.1:9099 npm start     # one terminal
#   bash docs/partners/before-you-go-live.sh                     # another one
# Elsewhere set BASE, CLIENT_ID and CLIENT_SECRET (sandbox), and RECEIVER to a receiver of yours that knows the secret.
set -euo pipefail
PORT=${PORT:-9099}
if [ -z "${CLIENT_ID:-}" ]; then
  read -r BASE CLIENT_ID CLIENT_SECRET < <(node -p "const p = JSON.parse(require('fs').readFileSync((process.env.PLATFORM_DATA_DIR || '.local') + '/platform.json'));
    const { sandbox } = p.partners.find(({ name }) => name === 'Acme').credentials; [p.gatewayUrl, sandbox.clientId, sandbox.clientSecret].join(' ')")
fi
RUN=go-live-$(date +%s)
# field NAME: the first field of that name in what comes in
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" <<<"$(grep -o "\"$1\":\"[^\"]*\"" | head -1)"; }
call() { curl -sS "${@:2}" "$BASE/api/v1$1" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'; }
topup() { call /orders/topup "${@:3}" -d '{"externalReference":"'"$RUN-$1"'","geoScopeGlobalId":"GEO-SA","amount":10,"phoneNumber":"'"$2"'"}'; }
# expect WHAT IS WANTED: stops at what is not as it should be
expect() { [ "$2" = "$3" ] || { echo "$1: $2 instead of $3" >&2; exit 1; }; echo "$1: $2"; }

TOKEN=$(curl -sS "$BASE/api/v1/auth/token" -H 'Content-Type: application/json' -d "{\"clientId\":\"$CLIENT_ID\",\"clientSecret\":\"$CLIENT_SECRET\"}" | field accessToken)
START=$(date -u +%Y-%m-%dT%H:%M:%SZ)
call /sandbox/wallet/credit -d '{"amount":5000,"externalReference":"'"$RUN"'"}' >/dev/null
# Where the events feed ends now.
until PAGE=$(call "/events?limit=100${CURSOR:+&after=$CURSOR}"); CURSOR=$(field nextCursor <<<"$PAGE"); grep -q '"hasMore":false' <<<"$PAGE"; do :; done

expect 'top-up' "$(topup sold +966501234567 | field status)" Completed
expect 'eSIM' "$(call /orders/esim -d '{"externalReference":"'"$RUN"'","geoScopeGlobalId":"GEO-SA","productSku":"ESIM-SA-1GB-7D","amount":19,"email":"anyone@example.com"}' | field status)" Completed
VARIANT=$(call '/scent/variants?availability=Available&pageSize=1' | field id)
add() { call "/scent/cart/items?customerRef=$RUN" "$@" -H "Idempotency-Key: $RUN" -d '{"variantId":"'"$VARIANT"'","quantity":1}'; }
expect 'added' "$(add | field status)" Open
expect 'added again, which counts once' "$(add -D - | grep -ci '^Idempotency-Replayed: true')" 1
SCENT=$(call /orders/scent -d '{"externalReference":"'"$RUN"'","customerRef":"'"$RUN"'","shippingAddress":{"recipient":"Anyone","line1":"King Fahd Road 1","city":"Riyadh","country":"SA","phone":"+966501234567"}}')
expect 'scent order' "$(grep -o '"status":"Processing"' <<<"$SCENT" | head -1 | field status)" Processing
expect 'its price, explained' "$(call "/scent/orders/$(field id <<<"$SCENT")/price-explanation" | grep -o '"name":"totalAmountWithVat"' | field name)" totalAmountWithVat

# What an operator and a parcel would do.
GROUP=$(grep -o '"fulfillmentGroups":\[{"id":"[^"]*"' <<<"$SCENT" | field id)
LINE=$(grep -o '"lines":\[{"id":"[^"]*"' <<<"$SCENT" | field id)
for MOVE in ship deliver; do call "/sandbox/fulfillment-groups/$GROUP/$MOVE" -X POST | field state >/dev/null; done
RETURN=$(call "/scent/orders/$(field id <<<"$SCENT")/return-request" -H "Idempotency-Key: $RUN-return" \
  -d '{"fulfillmentGroupId":"'"$GROUP"'","lines":[{"scentOrderLineId":"'"$LINE"'","quantity":1,"reasonCode":"Damaged"}]}' | field id)
expect 'given back' "$(call "/sandbox/return-requests/$RETURN/approve" -X POST | field status)" Approved
until FEED=$(call "/events?after=$CURSOR&wait=20&eventType=order.returned"); grep -q "$(field orderGlobalId <<<"$SCENT")" <<<"$FEED"; do CURSOR=$(field nextCursor <<<"$FEED"); done
expect 'read in the feed' "$(grep -o '"eventType":"order.returned"' <<<"$FEED" | field eventType)" order.returned
expect 'charge and refund in its timeline' "$(call "/orders/$(field orderGlobalId <<<"$SCENT")/timeline" | grep -o '"title":"[^"]*"' | grep -c 'harge\|efund')" 2
expect 'refusal' "$(topup refused +966501230001 | field status)" Failed

STATUS=$(topup pending +966501230003 | field status)
until [ "$STATUS" = Completed ] || [ "$STATUS" = Failed ]; do
  echo "pending order: $STATUS"; sleep 2
  STATUS=$(call "/orders/topup/reference/$RUN-pending" | field status)
done
expect 'pending order' "$STATUS" Completed

topup lost +966501234567 -H 'X-Sandbox-Fault: drop-response' 2>/dev/null || echo "lost response: curl ended with $?"
expect 'repeated' "$(topup lost +966501234567 | field status)" Completed

expect 'limit' "$(call /wallet/balance -H 'X-Sandbox-Fault: rate-limited' | field state)" RATE_LIMITED
sleep 1 # as long as Retry-After said
expect 'after it' "$(call /wallet/balance | field state)" SUCCESS

CREATED=$(call /webhooks -d '{"url":"'"${RECEIVER:-http://127.0.0.1:$PORT/}"'","eventTypes":["order.completed"]}')
expect 'subscription' "$(field state <<<"$CREATED")" CREATED
WEBHOOK=$(field id <<<"$CREATED")
trap 'kill "${RECEIVING:-}" 2>/dev/null || true; call "/webhooks/$WEBHOOK" -X DELETE >/dev/null' EXIT
if [ -z "${RECEIVER:-}" ]; then
  # The least that a receiver must do: know who signed it, and refuse what is old. What it does with events it has seen is up to yours.
  SECRET=$(field secret <<<"$CREATED") node -e "
    const { createHmac, timingSafeEqual } = require('crypto');
    require('http').createServer(async (request, response) => {
      const { 'x-service-timestamp': at = '', 'x-service-signature': signature = '' } = request.headers;
      const body = Buffer.concat(await request.toArray());
      const right = 'sha256=' + createHmac('sha256', process.env.SECRET).update(at + '.').update(body).digest('hex');
      const isOurs = signature.length === right.length && timingSafeEqual(Buffer.from(signature), Buffer.from(right));
      response.writeHead(isOurs && Math.abs(Date.now() / 1000 - Number(at)) <= 300 ? 204 : 400).end();
    }).listen($PORT, '127.0.0.1')" &
  RECEIVING=$!
  until curl -s -o /dev/null "http://127.0.0.1:$PORT/"; do kill -0 "$RECEIVING"; done
fi
expect 'diagnosis' "$(call "/webhooks/$WEBHOOK/diagnose" -X POST | field grade)" Pass

call /sandbox/statements -d '{"periodFrom":"2020-01-01T00:00:00Z","periodTo":"2020-02-01T00:00:00Z"}' >/dev/null # there is one when it ran before
expect 'statement' "$(call "/statements/$(call '/statements?pageSize=1' | field id)" | field state)" SUCCESS

# Our own record, and what we may spend.
RECORD=$(printf "$RUN-%s,10.00,%s\n" sold Completed refused Failed pending Completed lost Completed)
expect 'rows of our record that agree' "$(curl -sS "$BASE/api/v1/reconciliations?productType=Topup&fromDate=$START&toDate=2100-01-01T00:00:00Z" -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: text/csv' --data-binary "externalReference,amount,status"$'\n'"$RECORD" | grep -o '"matched":[0-9]*')" '"matched":4'
expect 'limits' "$(call /wallet/limits | field state)" SUCCESS

for _ in $(seq 15); do
  CERTIFICATION=$(call /certification)
  grep -q '"status":"Missing"' <<<"$CERTIFICATION" || break
  sleep 2
done
grep -o '"name":"[^"]*","title":"[^"]*","status":"[^"]*"' <<<"$CERTIFICATION" | sed 's/"name":"\([^"]*\)".*"status":"\([^"]*\)"/  \1 \2/'
expect 'steps that are missing' "$(grep -o '"status":"Missing"' <<<"$CERTIFICATION" | wc -l | tr -d ' ')" 0
expect 'certification' "$(grep -o '"status":"\(Certified\|InProgress\)"' <<<"$CERTIFICATION" | field status)" Certified
