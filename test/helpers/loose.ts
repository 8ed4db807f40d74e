/** A column as a plain list, to plant in it what its types forbid. */
export const loose = (column: unknown) => column as Record<number, number>;
