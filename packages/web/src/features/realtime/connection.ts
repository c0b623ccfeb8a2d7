import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { connectHub } from '@svc/contract';
import { hosted } from '../../lib/base.ts';
import { noteSilence } from '../../lib/calls/reachability.ts';
import { setLive } from '../../lib/liveness.ts';
import { heardEvents, noteEvent, noteGap } from './invalidate.ts';

/** Delays between reconnects. After the last one fails, the connection restarts about every 15 s. */
const reconnectMs = [0, 1_000, 5_000, 15_000];
const beginAgainMs = 15_000;
/** Random share of the delay, so that windows of one browser do not reconnect at the same moment. */
const jitter = 0.3;

/** Final statuses, for which a retry is useless: signed out, not permitted, switched off. */
const finalStatus = /Status code '(401|403|404)'/;

/**
 * Connects to the hub and reconnects after failures.
 * @returns a function that ends the connection.
 */
export function keepConnected(): () => void {
  const connection = new HubConnectionBuilder()
    .withUrl(hosted(connectHub.path))
    .withAutomaticReconnect(reconnectMs)
    .configureLogging(LogLevel.None)
    .build();
  let isWanted = true;
  let timer: number | undefined;

  const begin = async (isFirst: boolean): Promise<void> => {
    try {
      await connection.start();
      if (!isWanted) return await connection.stop();
      setLive(true);
      if (!isFirst) noteGap();
    } catch (error) {
      const isFinal = finalStatus.test(error instanceof Error ? error.message : '');
      if (!isWanted || isFinal) return;
      noteSilence();
      beginLater();
    }
  };
  const beginLater = (): void => {
    timer = window.setTimeout(() => void begin(false), beginAgainMs * (1 + Math.random() * jitter));
  };

  for (const event of heardEvents) connection.on(event, () => noteEvent(event));
  connection.onreconnecting(() => {
    setLive(false);
    noteSilence();
  });
  connection.onreconnected(() => {
    setLive(true);
    noteGap();
  });
  connection.onclose(() => {
    setLive(false);
    if (isWanted) beginLater();
  });
  void begin(true);

  return () => {
    isWanted = false;
    window.clearTimeout(timer);
    setLive(false);
    void connection.stop();
  };
}
