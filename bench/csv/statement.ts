/** A million typical rows: numbers, exact decimals, times, words, text with quotes, NULL. */
export const rowCount = 1_000_000;

export const createTable = `create table orders as select n as order_number, 'Customer ' || (n % 5000) as customer,
    (n::bigint * 7919 % 1000000) / 100.0 as amount, (n % 3 = 0) as is_paid,
    (array['open', 'paid', 'overdue', 'cancelled'])[1 + n % 4] as status,
    timestamptz '2026-01-01 00:00:00Z' + make_interval(secs => n) as ordered_at,
    case when n % 10 = 0 then 'He said "hello, there"' when n % 4 = 0 then null else 'A remark of ordinary length' end
      as remark
  from generate_series(1, ${rowCount}) n`;

/** Selects from a table, so that the gateway can determine the origin of each column and its personal data. */
export const statement = 'select * from orders';
