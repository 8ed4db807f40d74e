/** One queue per client, served in turn: a client with many items does not delay a client with few. */
export class Turns<T> {
  /** Clients with items, next first. */
  readonly #queues = new Map<string, { items: T[]; first: number }>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Items of one client. */
  sizeOf(client: string): number {
    const queue = this.#queues.get(client);
    return queue === undefined ? 0 : queue.items.length - queue.first;
  }

  add(client: string, item: T): void {
    const queue = this.#queues.get(client);
    if (queue === undefined) this.#queues.set(client, { items: [item], first: 0 });
    else queue.items.push(item);
    this.#size++;
  }

  /** Removes up to `most` items: the oldest of each client, client by client. */
  take(most: number): T[] {
    const taken: T[] = [];
    while (taken.length < most && this.#size > 0) {
      const [client, queue] = this.#queues.entries().next().value!;
      taken.push(queue.items[queue.first++]!);
      this.#size--;
      // A client with further items goes to the end of the map's order.
      this.#queues.delete(client);
      if (queue.first < queue.items.length) this.#queues.set(client, queue);
    }
    return taken;
  }
}
