/** Resources that the host provides for the demo. */
export type DemoDefinition = {
  /** Small shop database. Its role may only read it. */
  readonly shop: {
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly user: string;
    readonly password: string;
  };
  /** Database of reports. Its role may only write to it. Undefined disables the demo's data migration. */
  readonly reports?: DemoDefinition['shop'];
  /** CSV file of sales targets per country. */
  readonly targetsFile: string;
  /** HTTPS address of the inbox. */
  readonly inboxUrl: string;
};

export const demoNames = {
  project: 'Demo shop',
  shop: 'Shop database',
  targets: 'Sales targets (file)',
  reports: 'Reports database',
  copy: 'Sales by country, kept in the reports',
  delayed: 'Delayed orders',
  contract: 'Orders are as promised',
  tool: 'delayed_orders',
  sales: 'Sales against target',
  inbox: 'Demo inbox',
} as const;

/** Every 20 seconds. */
export const demoCron = '*/20 * * * * *';

export const delayedOrdersSql = `select o.id as order_id, o.placed_at, c.name as customer, c.email, c.country,
       p.name as product, o.quantity * p.price as amount
from shop.orders o
join shop.customers c on c.id = o.customer_id
join shop.products p on p.id = o.product_id
where o.status = 'Delayed' and o.placed_at > now() - make_interval(days => {{days}}::int)
order by o.placed_at desc`;

export const salesSql = `select c.country, count(*) as orders, sum(o.quantity * p.price) as sales
from shop.orders o
join shop.customers c on c.id = o.customer_id
join shop.products p on p.id = o.product_id
group by c.country`;

export const targetsSql = 'select country, monthly_target from targets';

export const salesFinalQuery = `select s.country, s.orders, s.sales, t.monthly_target,
       round(100 * s.sales / t.monthly_target) as percent_of_target
from sales s left join targets t on t.country = s.country
order by percent_of_target`;

/** Returns the connection settings of a demo database. */
export const connectionOf = (database: DemoDefinition['shop']) => ({ ...database, tlsMode: 'Disable' });
