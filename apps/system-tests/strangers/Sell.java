import java.util.Locale;
import java.util.TreeSet;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Sells by the client that openapi-generator makes for Java; what it prints is compared with what the gateway says. */
public final class Sell {
  private Sell() {}

  private static ApiClient client(String token) {
    ApiClient client = new ApiClient().setBasePath(System.getenv("RESELLER_URL")).setReadTimeout(30_000);
    if (token != null) client.setBearerToken(token);
    return client;
  }

  private static String reference() {
    return "java-" + UUID.randomUUID();
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }

  private static TopupOrder topup(ApiClient api, double amount) throws ApiException {
    CreateTopupOrderRequest request =
        new CreateTopupOrderRequest()
            .externalReference(reference())
            .geoScopeGlobalId("GEO-SA")
            .amount(amount)
            .phoneNumber("+966501234567");
    return new TopUpOrdersApi(api).createTopupOrder(request, null).getPayload();
  }

  private static void sayBalance(ApiClient api) throws ApiException {
    say("balance %.2f", new WalletApi(api).getWalletBalance(null).getPayload().getAvailableBalance());
  }

  public static void main(String[] args) throws Exception {
    CreateTokenRequest credential =
        new CreateTokenRequest()
            .clientId(System.getenv("RESELLER_CLIENT_ID"))
            .clientSecret(System.getenv("RESELLER_CLIENT_SECRET"));
    ApiClient api = client(new AuthenticationApi(client(null)).createToken(credential).getPayload().getAccessToken());
    sayBalance(api);

    TopupOrder order = topup(api, 25.5);
    say("topup %s %s %.2f", order.getExternalReference(), order.getStatus(), order.getAmount());

    try {
      topup(api, 0.01);
      throw new IllegalStateException("a top-up of 0.01 SAR was not refused");
    } catch (ApiException refused) {
      say("refused %d %s", refused.getCode(), org.openapitools.client.model.Error.fromJson(refused.getResponseBody()).getState());
    }

    EsimProduct plan = new ReferenceDataApi(api).listEsimProducts(null, null, "GEO-SA", null).getPayload().getItems().get(0);
    CreateEsimOrderRequest esimRequest =
        new CreateEsimOrderRequest()
            .externalReference(reference())
            .geoScopeGlobalId("GEO-SA")
            .productSku(plan.getProductSku())
            .amount(plan.getAmount())
            .email("traveller@example.com");
    EsimOrder esim = new ESimOrdersApi(api).createEsimOrder(esimRequest, null).getPayload();
    if (esim.getEsimActivationCode() == null) throw new IllegalStateException("the eSIM has no activation code");
    say("esim %s %s %.2f", esim.getExternalReference(), esim.getStatus(), esim.getAmount());

    ScentVariant variant =
        new ScentCatalogApi(api)
            .listVariants(null, null, null, null, Availability.AVAILABLE, null, null)
            .getPayload()
            .getItems()
            .get(0);
    AddCartItemRequest line = new AddCartItemRequest().variantId(variant.getId()).quantity(2);
    new ScentCartApi(api).addCartItem(line, "customer-17", reference(), null);
    CreateScentOrderRequestShippingAddress address =
        new CreateScentOrderRequestShippingAddress()
            .recipient("Noura Al Harbi")
            .line1("King Fahd Road 12")
            .city("Riyadh")
            .country("SA")
            .phone("+966501234567");
    CreateScentOrderRequest checkout =
        new CreateScentOrderRequest()
            .externalReference(reference())
            .customerRef("customer-17")
            .shippingAddress(address);
    ScentOrdersApi scents = new ScentOrdersApi(api);
    ScentOrder scent = scents.createScentOrder(checkout, null).getPayload();
    for (FulfillmentGroup group : scent.getFulfillmentGroups()) {
      new SandboxApi(api).shipGroup(group.getId(), null);
      new SandboxApi(api).deliverGroup(group.getId(), null);
    }
    scent = scents.getScentOrder(scent.getId(), null).getPayload();
    say("scent %s %s %.2f", scent.getExternalReference(), scent.getStatus(), scent.getTotalAmountWithVat());

    OrdersApi orders = new OrdersApi(api);
    TreeSet<String> kinds = new TreeSet<>();
    for (OrderSummary one : orders.listOrders(null, null, null, null, null, null, null, null).getPayload().getItems()) {
      UnifiedOrder sold = orders.getOrderByGlobalId(one.getOrderGlobalId(), null).getPayload();
      kinds.add(sold.getOrder().getActualInstance().getClass().getSimpleName());
    }
    say("orders %s", String.join(" ", kinds));
    Event event =
        new EventsApi(api).listEvents(null, "order.completed", 1, 20, null).getPayload().getItems().get(0);
    say("event %s", event.getActualInstance().getClass().getSimpleName());
    say("webhooks %d", new WebhooksApi(api).listWebhooks(null, null, null).getPayload().getPagination().getTotalCount());
    sayBalance(api);
  }
}
