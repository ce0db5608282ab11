/** Events that anyone who can read the repository can start, by a text. */
export const WITH_AUTHOR = /^((issue|commit|discussion|pull_request_review)_comment|pull_request_review)$/
