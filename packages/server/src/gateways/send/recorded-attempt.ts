import { deliverToRecipient, failed, skipped } from './attempt.ts';
import type { Dispatch, SendOptions } from './create-send.ts';
import { type AttemptEnd, type AttemptStart, deliveryIdOf } from './ports.ts';
import type { createSlots } from './slots.ts';

type Slots = ReturnType<typeof createSlots>;

export type Turns = {
  /** Attempts that send. */
  readonly slots: Slots;
  /** Attempts that send, and the few in the ledger that wait for their turn. */
  readonly line: Slots;
};

/** Tries to write an outcome, and the pause between them: the database may be unavailable for a moment. */
const finishTries = 3;
const finishPauseMs = 500;

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

/** Makes an attempt that is in the ledger. Returns undefined if it was stopped before anything was sent. */
async function attempt(options: SendOptions, dispatch: Dispatch): Promise<AttemptEnd | undefined> {
  const { recipients, log } = options;
  const { delivery, messageId, message, signal } = dispatch;
  const { recipientId } = delivery;
  const deliveryId = deliveryIdOf(delivery);
  try {
    // Read after the turn has started, directly before use: the recipient cannot change during a wait.
    const row = await recipients.readCurrent(recipientId);
    if (signal.aborted) return undefined;
    if (!row) return skipped('RecipientMissing');
    const context = { deliveryId, messageId, runDueAt: delivery.run.dueAt, signal };
    const end = await deliverToRecipient(options, row, message, context);
    return end.reason === 'Cancelled' && !end.mayHaveArrived ? undefined : end;
  } catch (error) {
    log.warn({ err: error, deliveryId, recipientId }, 'a delivery failed unexpectedly');
    return { ...failed('DeliveryFailed'), mayHaveArrived: true };
  }
}

/** Waits for a turn and makes the attempt. */
async function attemptInTurn(
  options: SendOptions,
  slots: Slots,
  dispatch: Dispatch,
): Promise<AttemptEnd | undefined> {
  let release: () => void;
  try {
    release = await slots.take(dispatch.signal);
  } catch {
    return undefined;
  }
  try {
    return await attempt(options, dispatch);
  } finally {
    release();
  }
}

/** Writes the outcome of an attempt, or withdraws an attempt that was stopped before anything was sent. */
async function record(
  { ledger, log }: SendOptions,
  start: AttemptStart,
  end: AttemptEnd | undefined,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await (end ? ledger.finish(start, end) : ledger.withdraw(start));
      return;
    } catch (error) {
      log.warn(
        { err: error, ...start.delivery, state: end?.state, tries },
        'the outcome of a delivery was not recorded',
      );
      // The row stays `Sending` and later becomes `Unknown`. The outcome is never guessed and the message never sent again.
      if (tries >= finishTries) return;
      await pause(finishPauseMs);
    }
  }
}

/** Writes an attempt into the ledger, makes it in its turn, and writes its outcome. */
export async function recordedAttempt(
  options: SendOptions,
  { line, slots }: Turns,
  dispatch: Dispatch,
): Promise<AttemptEnd> {
  const { ledger, log } = options;
  const { delivery, messageId, signal } = dispatch;
  let leaveLine: () => void;
  try {
    leaveLine = await line.take(signal);
  } catch {
    return failed('Cancelled');
  }
  const start = { delivery, messageId };
  let end: AttemptEnd | undefined;
  try {
    const outcome = await ledger.begin(start);
    if (outcome !== 'Started') return skipped(outcome);
    end = await attemptInTurn(options, slots, dispatch);
  } catch (error) {
    log.warn({ err: error, ...delivery }, 'a delivery could not be written into the ledger');
    return failed('DeliveryFailed');
  } finally {
    leaveLine();
  }
  // The turn is released before the outcome is written.
  await record(options, start, end);
  return end ?? failed('Cancelled');
}
