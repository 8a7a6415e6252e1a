// Buys with the client of openapi-generator and prints what it saw as JSON.
import bestow.ApiClient;
import bestow.ApiException;
import bestow.ApiResponse;
import bestow.api.CatalogApi;
import bestow.api.GiftsApi;
import bestow.api.OrdersApi;
import bestow.api.SandboxApi;
import bestow.model.DeliveryInput;
import bestow.model.EmailDelivery;
import bestow.model.ErrorResponse;
import bestow.model.Gift;
import bestow.model.GiftInput;
import bestow.model.GiftList;
import bestow.model.Order;
import bestow.model.OrderInput;
import java.util.Map;

public class Main {
  interface Call {
    Object run() throws ApiException;
  }

  static final ApiClient client = new ApiClient();

  static String errorOf(Call call) throws Exception {
    try {
      call.run();
    } catch (ApiException error) {
      // The generator leaves errors as text.
      var answer = client.getObjectMapper().readValue(error.getResponseBody(), ErrorResponse.class);
      return error.getCode() + " " + answer.getError().getCode();
    }
    throw new AssertionError("There was no error.");
  }

  static ApiResponse<Order> place(String category) throws ApiException {
    var email = new EmailDelivery().method(EmailDelivery.MethodEnum.EMAIL).email("ada@example.com");
    var gift = new GiftInput().amount(2500L).category(category).delivery(new DeliveryInput(email));
    var order = new OrderInput().addGiftsItem(gift);
    return new OrdersApi(client).createOrderWithHttpInfo(System.getenv("BESTOW_ORDER"), order, null);
  }

  public static void main(String[] arguments) throws Exception {
    client.updateBaseUri(System.getenv("BESTOW_URL"));
    var key = "Bearer " + System.getenv("BESTOW_KEY");
    client.setRequestInterceptor(request -> request.header("Authorization", key));
    var gifts = new GiftsApi(client);
    var wrong = errorOf(() -> place("nothing"));
    var placed = place("coffee");
    var replay = place("coffee");
    Gift gift = placed.getData().getGifts().get(0);
    var read = gifts.retrieveGift(gift.getGiftId(), null);
    var delivered = new SandboxApi(client).simulateDelivery(gift.getGiftId(), null, null);
    var missing = errorOf(() -> gifts.retrieveGift("gift_none", null));
    var categories = new CatalogApi(client).listCategories();
    int count = 0;
    String after = null;
    for (GiftList page = null; page == null || page.getHasMore(); ) {
      page = gifts.listGifts(
          2, after, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null, null, null);
      count += page.getData().size();
      after = page.getData().get(page.getData().size() - 1).getGiftId();
    }
    var isSame = replay.getData().getOrderId().equals(placed.getData().getOrderId());
    var seen = Map.of(
        "wrong", wrong,
        "placed", placed.getStatusCode() + " " + gift.getDelivery().getStatus() + " " + gift.getAmount(),
        "replay", replay.getStatusCode() + " " + isSame,
        "read", read.getDelivery().getStatus(),
        "delivered", delivered.getDelivery().getStatus(),
        "missing", missing,
        "categories", categories.getData().size(),
        "gifts", count);
    System.out.println(client.getObjectMapper().writeValueAsString(seen));
  }
}
