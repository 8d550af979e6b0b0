//! What a request is answered with when it fails: a status and a [`Problem`].

use crate::protocol::Problem;
use crate::store::StoreError;
use axum::Json;
use axum::extract::{FromRequest, Request, rejection::JsonRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub status: StatusCode,
    pub problem: Problem,
    /// Seconds after which it is worth trying again.
    pub retry_after: Option<u32>,
}

impl Failure {
    pub fn new(status: StatusCode, reason: impl Into<String>) -> Failure {
        Failure { status, problem: Problem { reason: reason.into(), rule: None, moved: None }, retry_after: None }
    }
    /// The request makes no sense.
    pub fn bad(reason: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, reason)
    }
    /// Nobody is signed in.
    pub fn unknown() -> Failure {
        Failure::new(StatusCode::UNAUTHORIZED, "take a name or sign in first")
    }
    pub fn forbidden(reason: impl Into<String>) -> Failure {
        Failure::new(StatusCode::FORBIDDEN, reason)
    }
    pub fn missing(reason: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, reason)
    }
    /// It clashes with what is there.
    pub fn conflict(reason: impl Into<String>) -> Failure {
        Failure::new(StatusCode::CONFLICT, reason)
    }
    /// Another server has it, at this address.
    pub fn moved(reason: impl Into<String>, url: String) -> Failure {
        let mut failure = Failure::new(StatusCode::MISDIRECTED_REQUEST, reason);
        failure.problem.moved = Some(url);
        failure
    }
    /// It may work later.
    pub fn not_now(reason: impl Into<String>) -> Failure {
        let mut failure = Failure::new(StatusCode::SERVICE_UNAVAILABLE, reason);
        failure.retry_after = Some(1);
        failure
    }
    pub fn too_many(seconds: u32) -> Failure {
        let mut failure = Failure::new(StatusCode::TOO_MANY_REQUESTS, format!("too many requests; try again in {seconds} s"));
        failure.retry_after = Some(seconds);
        failure
    }
    /// Not at this moment.
    pub fn busy(seconds: u32, reason: impl Into<String>) -> Failure {
        let mut failure = Failure::new(StatusCode::SERVICE_UNAVAILABLE, reason);
        failure.retry_after = Some(seconds);
        failure
    }
    /// The server's own fault: the cause goes to the log, not to the player.
    pub fn internal(cause: impl std::fmt::Display) -> Failure {
        tracing::error!(%cause, "a request failed");
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the server has a problem; it has been written down")
    }
    /// Which rule stands against it.
    pub fn with_rule(mut self, rule: impl Into<String>) -> Failure {
        self.problem.rule = Some(rule.into());
        self
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.problem)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::Taken => Failure::conflict("there is one already"),
            StoreError::Fenced => Failure::not_now("another server goes on with this match; try again"),
            StoreError::Damaged(cause) | StoreError::Failed(cause) => Failure::internal(cause),
        }
    }
}

/// A JSON body; one that cannot be read is refused with the reason.
pub struct Input<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Input<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Input<T>, Failure> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Input(value)),
            Err(rejection) => Err(Failure::new(rejection.status(), reason(&rejection))),
        }
    }
}

fn reason(rejection: &JsonRejection) -> String {
    match rejection {
        JsonRejection::MissingJsonContentType(_) => "the body must be JSON, with the content type application/json".into(),
        other => other.body_text(),
    }
}
