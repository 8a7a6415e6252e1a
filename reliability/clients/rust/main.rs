// Buys with the client of openapi-generator and prints what it saw as JSON.
use bestow::apis::configuration::Configuration;
use bestow::apis::{catalog_api, gifts_api, orders_api, sandbox_api, Error};
use bestow::models::{DeliveryInput, EmailDelivery, ErrorResponse, GiftInput, Order, OrderInput};
use std::env::var;

/// The status and the typed error; the generator shows no status of an answer without an error.
fn error_of<T: std::fmt::Debug, E: serde::Serialize>(answer: Result<T, Error<E>>) -> String {
    match answer {
        Err(Error::ResponseError(response)) => {
            let typed = serde_json::to_value(response.entity).unwrap();
            let answer: ErrorResponse = serde_json::from_value(typed).unwrap();
            format!("{} {}", response.status.as_u16(), answer.error.code)
        }
        _ => panic!("There was no error."),
    }
}

async fn place(client: &Configuration, category: &str) -> Result<Order, Error<orders_api::CreateOrderError>> {
    let email = EmailDelivery::new(Default::default(), "ada@example.com".into());
    let gift = GiftInput::new(2500, category.into(), DeliveryInput::Email(Box::new(email)));
    orders_api::create_order(client, &var("BESTOW_ORDER").unwrap(), OrderInput::new(vec![gift]), None).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let client = &Configuration {
        base_path: var("BESTOW_URL").unwrap(),
        bearer_access_token: Some(var("BESTOW_KEY").unwrap()),
        ..Default::default()
    };
    let wrong = place(client, "nothing").await;
    let placed = place(client, "coffee").await.unwrap();
    let replay = place(client, "coffee").await.unwrap();
    let gift = &placed.gifts[0];
    let read = gifts_api::retrieve_gift(client, &gift.gift_id, None).await.unwrap();
    let delivered = sandbox_api::simulate_delivery(client, &gift.gift_id, None, None).await.unwrap();
    let missing = gifts_api::retrieve_gift(client, "gift_none", None).await;
    let categories = catalog_api::list_categories(client).await.unwrap();
    let (mut count, mut after) = (0, None::<String>);
    loop {
        let page = gifts_api::list_gifts(
            client, Some(2), after.as_deref(), None, None, None, None, None, None, None, None, None, None, None, None, None,
            None, None, None, None, None, None, None,
        )
        .await.unwrap();
        count += page.data.len();
        if !page.has_more {
            break;
        }
        after = page.data.last().map(|last| last.gift_id.clone());
    }
    let nothing = std::collections::HashMap::from([("shop".to_string(), "nothing".to_string())]);
    let filtered = gifts_api::list_gifts(
        client, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None,
        None, Some(nothing), None, None, None,
    )
    .await.unwrap();
    let seen = serde_json::json!({
        "wrong": error_of(wrong),
        "placed": format!("201 {} {}", gift.delivery.status, gift.amount),
        "replay": format!("200 {}", replay.order_id == placed.order_id),
        "read": read.delivery.status,
        "delivered": delivered.delivery.status,
        "missing": error_of(missing),
        "categories": categories.data.len(),
        "gifts": count,
        "filtered": filtered.data.len(),
    });
    println!("{seen}");
}
