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

export type SendOptions = AttemptDeps & {
  readonly recipients: Recipients;
  readonly ledger: Ledger;
  /** Concurrent deliveries in this process. Default 50. */
  readonly concurrency?: number;
};

/** One message for one recipient. */
export type Dispatch = {
  /** Key of the delivery in the ledger. At most one attempt is made under it. */
  readonly delivery: DeliveryKey;
  /**
   * The same for every attempt at the same message, so that a receiver of signed messages can detect a repetition. Letters,
   * digits, `_` and `-`.
   */
  readonly messageId: string;
  readonly message: Message;
  readonly signal: AbortSignal;
};

/** Result of one dispatch. */
export type DispatchResult = AttemptEnd & { readonly delivery: DeliveryKey };

/** The only path of every delivery. */
export type Send = {
  /**
   * Makes one attempt: writes it into the ledger, waits for its turn, and reads the current recipient. Then it decrypts,
   * checks the approval and the policy, renders, sends through the outbound gateway, and writes the outcome. If the signal
   * aborts before anything was sent, the attempt is withdrawn from the ledger. Never rejects for an error of a recipient, a
   * destination or the ledger.
   */
  readonly toRecipient: (dispatch: Dispatch) => Promise<DispatchResult>;
  /** Attempts all dispatches. A failure does not stop the others. Results have the order of the dispatches. */
  readonly toRecipients: (dispatches: readonly Dispatch[]) => Promise<DispatchResult[]>;
  /** Sends without a recipient. No approval is checked and no ledger entry is written, but the policy applies. */
  readonly toDestination: (
    target: DirectTarget,
    send: { readonly deliveryId: string; readonly message: Message; readonly signal: AbortSignal },
  ) => Promise<AttemptEnd>;
  /**
   * Emails a notice of the service to a user. Rejects if the signal is aborted, or if `read` rejects.
   *
   * @param read  Called when the turn starts, directly before the email is sent. It checks that the user may receive the
   * notice. If it returns undefined, no email is sent.
   */
  readonly toPerson: (
    read: () => Promise<(NoticeText & { readonly to: string }) | undefined>,
    send: { readonly deliveryId: string; readonly signal: AbortSignal },
  ) => Promise<AttemptEnd | undefined>;
};

const concurrencyDefault = 50;
/**
 * Attempts written into the ledger before their turn, as a share of the concurrent ones. A turn does not wait for the
 * database, and a crash leaves few unsent attempts as `Unknown`.
 */
const aheadShare = 0.5;
/** Tries to write an outcome, and the pause between them: the database may be unavailable for a moment. */
const finishTries = 3;
const finishPauseMs = 500;

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

/** Creates the gateway. It owns nothing that needs closing; close the outbound gateway. */
export function createSend(options: SendOptions): Send {
  const { recipients, ledger, log } = options;
  const concurrency = options.concurrency ?? concurrencyDefault;
  const slots = createSlots(concurrency);
  const aheadMax = Math.ceil(concurrency * aheadShare);
  // Attempts that send, and the few in the ledger that wait for their turn.
  const line = createSlots(concurrency + aheadMax);
  // Includes the attempts that write their outcome.
  const atWorkMax = concurrency * 2 + aheadMax;

  /** Makes an attempt that is in the ledger. Returns undefined if it was stopped before anything was sent. */
  async function attempt(dispatch: Dispatch): Promise<AttemptEnd | undefined> {
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
        // The row stays `Sending` and later becomes `Unknown`. The outcome is never guessed and the message never sent again.
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
    // The turn is released before the outcome is written.
    await record(start, end);
    return end ?? failed('Cancelled');
  }

  async function toRecipient(dispatch: Dispatch): Promise<DispatchResult> {
    const { delivery } = dispatch;
    const end = await recordedAttempt(dispatch);
    // Only ids: a warning must not reveal the destination of a recipient.
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
      // Bounded workers: otherwise each waiting dispatch would add a listener to the caller's signal.
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
