import type { ConnectionTestResult } from '@svc/contract';
import { Status } from '../../ui/record/status.tsx';

/** What came of trying a connection. */
export function TestResult({ result }: { readonly result: ConnectionTestResult }) {
  return (
    <div className="panel stack-tight" style={{ padding: 12 }} role="status">
      <Status tone={result.ok ? 'green' : 'red'}>
        {result.ok ? 'The data source answers' : 'No connection'}
      </Status>
      <p>{result.message}</p>
      {result.warnings.map((warning) => (
        <p key={warning.code}>
          <Status tone="amber">{warning.message}</Status>
        </p>
      ))}
    </div>
  );
}
