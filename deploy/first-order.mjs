// The first order of an installation, as its partner would place it, and what an operator does before: a partner, a
// sandbox credential, a wallet with money. Prints each step; run again it makes another partner.
//   OPERATOR_TOKEN=op_… node deploy/first-order.mjs [gateway's URL] [backoffice's URL]
const [gateway = 'http://127.0.0.1:8080', backoffice = 'http://127.0.0.1:8090'] = process.argv.slice(2);
const operatorToken = process.env.OPERATOR_TOKEN;

async function call(url, { token, body }) {
  const response = await globalThis.fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { ...(token && { Authorization: `Bearer ${token}` }), 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${text}`);
  return JSON.parse(text).payload;
}

async function prepareBuyer() {
  const operate = (path, body) => call(`${backoffice}/ops/v1${path}`, { token: operatorToken, body });
  const partner = await operate('/partners', { name: `First order ${new Date().toISOString()}` });
  console.log(`partner     ${partner.globalId}`);
  const credential = await operate(`/partners/${partner.id}/credentials`, { environment: 'sandbox' });
  console.log(`credential  ${credential.clientId}, its secret is shown to you once`);
  await operate(`/partners/${partner.id}/wallet`, { environment: 'sandbox' });
  const deposit = {
    environment: 'sandbox',
    amount: 100,
    notes: 'to try it',
    idempotencyKey: 'first-deposit',
  };
  await operate(`/partners/${partner.id}/wallet/credit`, deposit);
  console.log('wallet      100 SAR');
  return credential;
}

async function placeOrder({ clientId, clientSecret }) {
  const { accessToken: token } = await call(`${gateway}/api/v1/auth/token`, {
    body: { clientId, clientSecret },
  });
  const order = {
    externalReference: 'first-order',
    geoScopeGlobalId: 'GEO-SA',
    amount: 25,
    phoneNumber: '+966501234567',
  };
  const placed = await call(`${gateway}/api/v1/orders/topup`, { token, body: order });
  const balance = await call(`${gateway}/api/v1/wallet/balance`, { token });
  console.log(`order       ${placed.orderGlobalId ?? placed.globalId} is ${placed.status}`);
  console.log(`balance     ${JSON.stringify(balance)}`);
}

try {
  if (!operatorToken) throw new Error('OPERATOR_TOKEN is missing: expected an operator token of the admin');
  await placeOrder(await prepareBuyer());
} catch (error) {
  console.error(`first-order: ${error.message}`);
  process.exitCode = 1;
}
