/** Whether the server of the metadata database had room for what was written last. */
export type Room = {
  readonly noteFull: () => void;
  readonly isFull: () => boolean;
};

/** How long after the last refusal the disk is taken to be full: without writes nobody knows better. */
const heldMs = 10_000;

/** @param now  the monotonic clock in milliseconds. */
export function createRoom(now: () => number = () => performance.now()): Room {
  let fullAt: number | undefined;
  return {
    noteFull: () => {
      fullAt = now();
    },
    isFull: () => fullAt !== undefined && now() - fullAt < heldMs,
  };
}
