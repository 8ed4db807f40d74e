/** A label in a scenario: it names an object that a transaction created, wherever an id may be. */
export const LABEL = /^\$[a-zA-Z][\w-]*$/;
