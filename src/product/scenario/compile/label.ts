/** A label in a scenario: names what a transaction created, wherever an id may be. */
export const LABEL = /^\$[a-zA-Z][\w-]*$/;
