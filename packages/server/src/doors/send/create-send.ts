import type { Message, NoticeText } from '@svc/channels';
import { type AttemptDeps, deliver, deliverNotice, deliverToRecipient, failed, skipped } from './attempt.ts';
import {
  type AttemptEnd,
  type AttemptStart,
  type DeliveryKey,
  type DirectTarget,
  deliveryIdOf,
  type Ledger,
  type Recipients,
} from './ports.ts';
import { createSlots } from './slots.ts';

/** What the door is made with. */
export type SendOptions = AttemptDeps & {
  readonly recipients: Recipients;
  readonly ledger: Ledger;
  /** Deliveries at once in this process. Default 50. */
  readonly concurrency?: number;
};

/** One message for one recipient. */
export type Dispatch = {
  /** The delivery in the ledger: one attempt is made under it, whatever happens. */
  readonly delivery: DeliveryKey;
  /**
   * The same for every attempt at the same message, so that a receiver of signed messages can tell a repetition:
   * letters, digits, `_` and `-`.
   */
  readonly messageId: string;
  readonly message: Message;
  readonly signal: AbortSignal;
};

/** What came of one dispatch. */
export type DispatchResult = AttemptEnd & { readonly delivery: DeliveryKey };

/** The single way of every delivery. */
export type Send = {
  /**
   * Makes one attempt: writes it into the ledger, waits for its turn, reads the recipient as it is now, decrypts, checks
   * the approval and the policy, renders, sends through the outbound door, writes the outcome. One that the signal
   * stops before anything left is taken back out of the ledger. Never rejects for a recipient, a destination or the
   * ledger.
   */
  readonly toRecipient: (dispatch: Dispatch) => Promise<DispatchResult>;
  /** Tries every one; a failure stops no other. Results keep the order. */
  readonly toRecipients: (dispatches: readonly Dispatch[]) => Promise<DispatchResult[]>;
  /** Sends without a recipient: no approval is checked and no ledger written; the policy holds all the same. */
  readonly toDestination: (
    target: DirectTarget,
    send: { readonly deliveryId: string; readonly message: Message; readonly signal: AbortSignal },
  ) => Promise<AttemptEnd>;
  /**
   * Mails a notice of the service itself to a person. Rejects for a signal that has aborted, and as `read` does.
   *
   * @param read  Called in its turn, right before the mail leaves: whether the person may be told is asked then.
   *   Nothing is sent for undefined.
   */
  readonly toPerson: (
    read: () => Promise<(NoticeText & { readonly to: string }) | undefined>,
    send: { readonly deliveryId: string; readonly signal: AbortSignal },
  ) => Promise<AttemptEnd | undefined>;
};

const concurrencyDefault = 50;
/**
 * Attempts that are written into the ledger ahead of their turn, as a share of those that send: a turn is not spent
 * waiting for the database, and a crash leaves few `Unknown` of which nothing had left.
 */
const aheadShare = 0.5;
/** Tries to write an outcome, and the pause before the next: the database may be away for a moment. */
const finishTries = 3;
const finishPauseMs = 500;

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

/** Makes the door. It holds nothing that needs closing; close the outbound door. */
export function createSend(options: SendOptions): Send {
  const { recipients, ledger, log } = options;
  const concurrency = options.concurrency ?? concurrencyDefault;
  const slots = createSlots(concurrency);
  const aheadMax = Math.ceil(concurrency * aheadShare);
  // Those that send, and the few that stand in the ledger and wait for their turn.
  const line = createSlots(concurrency + aheadMax);
  // Besides them, some write down what they sent.
  const atWorkMax = concurrency * 2 + aheadMax;

  /** Makes an attempt that stands in the ledger; undefined when it was stopped before anything left. */
  async function attempt(dispatch: Dispatch): Promise<AttemptEnd | undefined> {
    const { delivery, messageId, message, signal } = dispatch;
    const { recipientId } = delivery;
    const deliveryId = deliveryIdOf(delivery);
    try {
      // Read when its turn has come and right before it is used: nothing waits in between.
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

  /** The same once it is its turn. */
  async function attemptInTurn(dispatch: Dispatch): Promise<AttemptEnd | undefined> {
    let giveBack: () => void;
    try {
      giveBack = await slots.take(dispatch.signal);
    } catch {
      return undefined;
    }
    try {
      return await attempt(dispatch);
    } finally {
      giveBack();
    }
  }

  async function record(start: AttemptStart, end: AttemptEnd | undefined): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await (end ? ledger.finish(start, end) : ledger.withdraw(start));
        return;
      } catch (error) {
        log.warn(
          { err: error, ...start.delivery, state: end?.state, tries },
          'the outcome of a delivery was not recorded',
        );
        // The row stays `Sending`, and becomes `Unknown`: the outcome is never made up and never sent again.
        if (tries >= finishTries) return;
        await pause(finishPauseMs);
      }
    }
  }

  async function recordedAttempt(dispatch: Dispatch): Promise<AttemptEnd> {
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
      const begun = await ledger.begin(start);
      if (begun !== 'Started') return skipped(begun);
      end = await attemptInTurn(dispatch);
    } catch (error) {
      log.warn({ err: error, ...delivery }, 'a delivery could not be written into the ledger');
      return failed('DeliveryFailed');
    } finally {
      leaveLine();
    }
    // It has left: the next one need not wait until that is written down.
    await record(start, end);
    return end ?? failed('Cancelled');
  }

  async function toRecipient(dispatch: Dispatch): Promise<DispatchResult> {
    const { delivery } = dispatch;
    const end = await recordedAttempt(dispatch);
    // Ids only: what a warning says of a recipient must not tell where it is.
    if (end.state !== 'Sent') {
      const { state, reason, httpStatus, bytesSent, durationMs } = end;
      log.warn({ ...delivery, state, reason, httpStatus, bytesSent, durationMs }, 'a delivery was not made');
    }
    return { ...end, delivery };
  }

  return {
    toRecipient,
    toRecipients: async (dispatches) => {
      const results: DispatchResult[] = [];
      let next = 0;
      // A bounded number at work: of a thousand that wait each would hold a place at the caller's signal.
      const work = async (): Promise<void> => {
        for (let place = next++; place < dispatches.length; place = next++) {
          const dispatch = dispatches[place];
          if (dispatch) results[place] = await toRecipient(dispatch);
        }
      };
      await Promise.all(Array.from({ length: Math.min(dispatches.length, atWorkMax) }, work));
      return results;
    },
    toDestination: async (target, { deliveryId, message, signal }) => {
      const giveBack = await slots.take(signal);
      try {
        const { type, destination, customHeaders = {}, bodyTemplate } = target;
        return await deliver(options, { type, destination, customHeaders, bodyTemplate }, message, {
          deliveryId,
          messageId: deliveryId,
          signal,
        });
      } finally {
        giveBack();
      }
    },
    toPerson: async (read, { deliveryId, signal }) => {
      const giveBack = await slots.take(signal);
      try {
        const notice = await read();
        return notice && (await deliverNotice(options, notice, { deliveryId, signal }));
      } finally {
        giveBack();
      }
    },
  };
}
