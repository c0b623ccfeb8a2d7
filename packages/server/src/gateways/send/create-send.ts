import type { Message, NoticeText } from '@svc/channels';
import { type AttemptDeps, deliver, deliverNotice } from './attempt.ts';
import type { AttemptEnd, DeliveryKey, DirectTarget, Ledger, Recipients } from './ports.ts';
import { recordedAttempt, type Turns } from './recorded-attempt.ts';
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

/** Creates the gateway. It owns nothing that needs closing; close the outbound gateway. */
export function createSend(options: SendOptions): Send {
  const { log } = options;
  const concurrency = options.concurrency ?? concurrencyDefault;
  const slots = createSlots(concurrency);
  const aheadMax = Math.ceil(concurrency * aheadShare);
  const turns: Turns = { slots, line: createSlots(concurrency + aheadMax) };
  // Includes the attempts that write their outcome.
  const workersMax = concurrency * 2 + aheadMax;

  async function toRecipient(dispatch: Dispatch): Promise<DispatchResult> {
    const { delivery } = dispatch;
    const end = await recordedAttempt(options, turns, dispatch);
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
      await Promise.all(Array.from({ length: Math.min(dispatches.length, workersMax) }, work));
      return results;
    },
    toDestination: async (target, { deliveryId, message, signal }) => {
      const release = await slots.take(signal);
      try {
        const { type, destination, customHeaders = {}, bodyTemplate } = target;
        return await deliver(options, { type, destination, customHeaders, bodyTemplate }, message, {
          deliveryId,
          messageId: deliveryId,
          signal,
        });
      } finally {
        release();
      }
    },
    toPerson: async (read, { deliveryId, signal }) => {
      const release = await slots.take(signal);
      try {
        const notice = await read();
        return notice && (await deliverNotice(options, notice, { deliveryId, signal }));
      } finally {
        release();
      }
    },
  };
}
