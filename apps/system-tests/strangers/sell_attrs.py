"""Sells by the client that openapi-python-client makes; what it prints is compared with what the gateway says."""

import os
from uuid import uuid4

from reseller_attrs import AuthenticatedClient, Client
from reseller_attrs import models
from reseller_attrs.api.authentication import create_token
from reseller_attrs.api.e_sim_orders import create_esim_order
from reseller_attrs.api.events import list_events
from reseller_attrs.api.orders import get_order_by_global_id, list_orders
from reseller_attrs.api.reference_data import list_esim_products
from reseller_attrs.api.sandbox import deliver_group, ship_group
from reseller_attrs.api.scent_cart import add_cart_item
from reseller_attrs.api.scent_catalog import list_variants
from reseller_attrs.api.scent_orders import create_scent_order, get_scent_order
from reseller_attrs.api.top_up_orders import create_topup_order
from reseller_attrs.api.wallet import get_wallet_balance
from reseller_attrs.api.webhooks import list_webhooks

BASE = os.environ["RESELLER_URL"]


def must(response):
    """The payload of a success; a refusal ends the program."""
    if isinstance(response, models.Error):
        raise SystemExit(f"{response.state}: {response.details.message}")
    return response.payload


def reference():
    return f"attrs-{uuid4()}"


def say(what, *values):
    print(what, *(f"{value:.2f}" if isinstance(value, float) else value for value in values))


credential = models.CreateTokenRequest(
    client_id=os.environ["RESELLER_CLIENT_ID"], client_secret=os.environ["RESELLER_CLIENT_SECRET"]
)
token = must(create_token.sync(client=Client(base_url=BASE), body=credential))
client = AuthenticatedClient(base_url=BASE, token=token.access_token, timeout=30)
say("balance", must(get_wallet_balance.sync(client=client)).available_balance)


def topup(amount):
    body = models.CreateTopupOrderRequest(
        external_reference=reference(),
        geo_scope_global_id="GEO-SA",
        amount=amount,
        phone_number="+966501234567",
    )
    return create_topup_order.sync_detailed(client=client, body=body)


order = must(topup(25.5).parsed)
say("topup", order.external_reference, order.status.value, order.amount)

refused = topup(0.01)
say("refused", str(int(refused.status_code)), refused.parsed.state)

plan = must(list_esim_products.sync(client=client, geo_scope_global_id="GEO-SA")).items[0]
esim = must(
    create_esim_order.sync(
        client=client,
        body=models.CreateEsimOrderRequest(
            external_reference=reference(),
            geo_scope_global_id="GEO-SA",
            product_sku=plan.product_sku,
            amount=plan.amount,
            email="traveller@example.com",
        ),
    )
)
if not esim.esim_activation_code:
    raise SystemExit("the eSIM has no activation code")
say("esim", esim.external_reference, esim.status.value, float(esim.amount))

variant = must(list_variants.sync(client=client, availability=models.Availability.AVAILABLE)).items[0]
line = models.AddCartItemRequest(variant_id=variant.id, quantity=2)
must(add_cart_item.sync(client=client, body=line, customer_ref="customer-17", idempotency_key=reference()))
checkout = models.CreateScentOrderRequest(
    external_reference=reference(),
    customer_ref="customer-17",
    shipping_address=models.CreateScentOrderRequestShippingAddress(
        recipient="Noura Al Harbi", line1="King Fahd Road 12", city="Riyadh", country="SA", phone="+966501234567"
    ),
)
scent = must(create_scent_order.sync(client=client, body=checkout))
for group in scent.fulfillment_groups:
    must(ship_group.sync(group.id, client=client))
    must(deliver_group.sync(group.id, client=client))
scent = must(get_scent_order.sync(scent.id, client=client))
say("scent", scent.external_reference, scent.status.value, float(scent.total_amount_with_vat))

listed = must(list_orders.sync(client=client)).items
sold = [must(get_order_by_global_id.sync(one.order_global_id, client=client)).order for one in listed]
say("orders", *sorted(type(one).__name__ for one in sold))
events = must(list_events.sync(client=client, event_type="order.completed", limit=1, wait=20)).items
say("event", type(events[0]).__name__)
say("webhooks", str(must(list_webhooks.sync(client=client)).pagination.total_count))
say("balance", must(get_wallet_balance.sync(client=client)).available_balance)
