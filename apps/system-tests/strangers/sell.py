"""Sells by the client that openapi-generator makes for Python; what it prints is compared with what the gateway says."""

import os
import sys
from uuid import uuid4

import reseller
from reseller.exceptions import ApiException

BASE = os.environ["RESELLER_URL"]


def client(token=None):
    return reseller.ApiClient(reseller.Configuration(host=BASE, access_token=token))


def say(what, *values):
    print(what, *(f"{value:.2f}" if isinstance(value, (int, float)) else value for value in values))


token = reseller.AuthenticationApi(client()).create_token(
    reseller.CreateTokenRequest(
        client_id=os.environ["RESELLER_CLIENT_ID"], client_secret=os.environ["RESELLER_CLIENT_SECRET"]
    )
)
api = client(token.payload.access_token)
wallet = reseller.WalletApi(api)
say("balance", wallet.get_wallet_balance().payload.available_balance)


def topup(amount):
    request = reseller.CreateTopupOrderRequest(
        external_reference=f"py-{uuid4()}",
        geo_scope_global_id="GEO-SA",
        amount=amount,
        phone_number="+966501234567",
    )
    return reseller.TopUpOrdersApi(api).create_topup_order(request).payload


order = topup(25.5)
say("topup", order.external_reference, order.status.value, order.amount)

try:
    topup(0.01)
    sys.exit("a top-up of 0.01 SAR was not refused")
except ApiException as refused:
    say("refused", str(refused.status), refused.data.state)

plan = reseller.ReferenceDataApi(api).list_esim_products(geo_scope_global_id="GEO-SA").payload.items[0]
esim = reseller.ESIMOrdersApi(api).create_esim_order(
    reseller.CreateEsimOrderRequest(
        external_reference=f"py-{uuid4()}",
        geo_scope_global_id="GEO-SA",
        product_sku=plan.product_sku,
        amount=plan.amount,
        email="traveller@example.com",
    )
).payload
if not esim.esim_activation_code:
    sys.exit("the eSIM has no activation code")
say("esim", esim.external_reference, esim.status.value, esim.amount)

variants = reseller.ScentCatalogApi(api).list_variants(availability=reseller.Availability.AVAILABLE)
cart = reseller.ScentCartApi(api).add_cart_item(
    reseller.AddCartItemRequest(variant_id=variants.payload.items[0].id, quantity=2),
    customer_ref="customer-17",
    idempotency_key=f"py-{uuid4()}",
)
scents = reseller.ScentOrdersApi(api)
scent = scents.create_scent_order(
    reseller.CreateScentOrderRequest(
        external_reference=f"py-{uuid4()}",
        customer_ref=cart.payload.customer_ref,
        shipping_address=reseller.CreateScentOrderRequestShippingAddress(
            recipient="Noura Al Harbi", line1="King Fahd Road 12", city="Riyadh", country="SA", phone="+966501234567"
        ),
    )
).payload
for group in scent.fulfillment_groups:
    reseller.SandboxApi(api).ship_group(group.id)
    reseller.SandboxApi(api).deliver_group(group.id)
scent = scents.get_scent_order(scent.id).payload
say("scent", scent.external_reference, scent.status.value, scent.total_amount_with_vat)

orders = reseller.OrdersApi(api)
sold = [orders.get_order_by_global_id(one.order_global_id) for one in orders.list_orders().payload.items]
say("orders", *sorted(type(one.payload.order.actual_instance).__name__ for one in sold))
events = reseller.EventsApi(api).list_events(event_type="order.completed", limit=1, wait=20).payload.items
say("event", type(events[0].actual_instance).__name__)
say("webhooks", str(reseller.WebhooksApi(api).list_webhooks().payload.pagination.total_count))
say("balance", wallet.get_wallet_balance().payload.available_balance)
