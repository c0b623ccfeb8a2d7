/** Disk-space state of the metadata database's server, from its last refusal. */
export type Room = {
  readonly noteFull: () => void;
  readonly isFull: () => boolean;
};

/**
 * Time after the last refusal for which the disk counts as full. Only a write could show that space is available
 * again.
 */
const heldMs = 10_000;

/** @param now  The monotonic clock in milliseconds. */
export function createRoom(now: () => number = () => performance.now()): Room {
  let fullAt: number | undefined;
  return {
    noteFull: () => {
      fullAt = now();
    },
    isFull: () => fullAt !== undefined && now() - fullAt < heldMs,
  };
}
