/** A name of a market in a scenario: capitals, so that it cannot be taken for an account or a key. */
export const MARKET_NAME = /^[A-Z][A-Z0-9._:-]{0,63}$/;
