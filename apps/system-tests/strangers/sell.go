// Sells by the client that openapi-generator makes for Go; what it prints is compared with what the gateway says.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"sort"
	"strings"
	"time"

	"strangers/reseller"
)

// must ends the program where a call failed, with what the gateway said.
func must[T any](value T, response *http.Response, err error) T {
	if err == nil {
		return value
	}
	var failed *reseller.GenericOpenAPIError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w: %s", err, failed.Body())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
	return value
}

func reference() string { return fmt.Sprintf("go-%d", time.Now().UnixNano()) }

func main() {
	config := reseller.NewConfiguration()
	config.Servers = reseller.ServerConfigurations{{URL: os.Getenv("RESELLER_URL")}}
	api := reseller.NewAPIClient(config)
	credential := reseller.NewCreateTokenRequest(os.Getenv("RESELLER_CLIENT_ID"), os.Getenv("RESELLER_CLIENT_SECRET"))
	token := must(api.AuthenticationAPI.CreateToken(context.Background()).CreateTokenRequest(*credential).Execute())
	ctx := context.WithValue(context.Background(), reseller.ContextAccessToken, token.Payload.AccessToken)
	sayBalance := func() {
		balance := must(api.WalletAPI.GetWalletBalance(ctx).Execute())
		fmt.Printf("balance %.2f\n", balance.Payload.AvailableBalance)
	}
	sayBalance()

	topup := func(amount float64) reseller.ApiCreateTopupOrderRequest {
		request := reseller.NewCreateTopupOrderRequest(reference(), "GEO-SA", amount, "+966501234567")
		return api.TopUpOrdersAPI.CreateTopupOrder(ctx).CreateTopupOrderRequest(*request)
	}
	order := must(topup(25.5).Execute()).Payload
	fmt.Printf("topup %s %s %.2f\n", order.ExternalReference, order.Status, order.Amount)

	_, response, err := topup(0.01).Execute()
	var refused *reseller.GenericOpenAPIError
	if !errors.As(err, &refused) {
		must(0, response, errors.New("a top-up of 0.01 SAR was not refused"))
	}
	fmt.Printf("refused %d %s\n", response.StatusCode, refused.Model().(reseller.Error).State)

	plans := must(api.ReferenceDataAPI.ListEsimProducts(ctx).GeoScopeGlobalId("GEO-SA").Execute())
	plan := plans.Payload.Items[0]
	esimRequest := reseller.NewCreateEsimOrderRequest(reference(), "GEO-SA", plan.ProductSku, "traveller@example.com", plan.Amount)
	esim := must(api.ESIMOrdersAPI.CreateEsimOrder(ctx).CreateEsimOrderRequest(*esimRequest).Execute()).Payload
	if esim.EsimActivationCode.Get() == nil {
		must(0, nil, errors.New("the eSIM has no activation code"))
	}
	fmt.Printf("esim %s %s %.2f\n", esim.ExternalReference, esim.Status, esim.Amount)

	variants := must(api.ScentCatalogAPI.ListVariants(ctx).Availability(reseller.AVAILABILITY_AVAILABLE).Execute())
	line := reseller.NewAddCartItemRequest(variants.Payload.Items[0].Id, 2)
	must(api.ScentCartAPI.AddCartItem(ctx).AddCartItemRequest(*line).CustomerRef("customer-17").IdempotencyKey(reference()).Execute())
	address := reseller.NewCreateScentOrderRequestShippingAddress("Noura Al Harbi", "King Fahd Road 12", "Riyadh", "SA", "+966501234567")
	checkout := reseller.NewCreateScentOrderRequest(reference(), *address)
	checkout.SetCustomerRef("customer-17")
	scent := must(api.ScentOrdersAPI.CreateScentOrder(ctx).CreateScentOrderRequest(*checkout).Execute()).Payload
	for _, group := range scent.FulfillmentGroups {
		must(api.SandboxAPI.ShipGroup(ctx, group.Id).Execute())
		must(api.SandboxAPI.DeliverGroup(ctx, group.Id).Execute())
	}
	scent = must(api.ScentOrdersAPI.GetScentOrder(ctx, scent.Id).Execute()).Payload
	fmt.Printf("scent %s %s %.2f\n", scent.ExternalReference, scent.Status, scent.TotalAmountWithVat)

	var kinds []string
	for _, one := range must(api.OrdersAPI.ListOrders(ctx).Execute()).Payload.Items {
		order := must(api.OrdersAPI.GetOrderByGlobalId(ctx, one.OrderGlobalId).Execute())
		kinds = append(kinds, kindOf(order.Payload.Order))
	}
	sort.Strings(kinds)
	fmt.Println("orders", strings.Join(kinds, " "))
	events := must(api.EventsAPI.ListEvents(ctx).EventType("order.completed").Limit(1).Wait(20).Execute())
	fmt.Println("event", kindOf(events.Payload.Items[0]))
	fmt.Println("webhooks", must(api.WebhooksAPI.ListWebhooks(ctx).Execute()).Payload.Pagination.TotalCount)
	sayBalance()
}

// kindOf names the one of several forms that a value has.
func kindOf(choice any) string {
	value := reflect.ValueOf(choice)
	for at := 0; at < value.NumField(); at++ {
		if !value.Field(at).IsNil() {
			return value.Type().Field(at).Name
		}
	}
	return "none"
}
