import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const tables = `
  create table orders (id int primary key, total numeric);
  create table customers (id int primary key, email text);
  create table products (id int primary key);
  create table order_lines (order_id int references orders (id), product_id int references products,
    primary key (order_id, product_id));
  create table invoices (id int primary key, customer_id int, note text);
  create table notes (line text);
  insert into customers select n, n || '@example.org' from generate_series(1, 3) n;
  insert into invoices values (1, 1), (2, 2), (3, 9), (4, null)`;
type Ends = { readonly source: object; readonly target: object };
const endsOf = ({ proposals }: { readonly proposals: readonly Ends[] }): Ends[] =>
  proposals.map(({ source, target }) => ({ source, target }));
const end = (table: string, ...columns: string[]) => ({ schema: 'public', table, columns });

scenario(
  ['RT-4.3-21', 'RT-4.3-201', 'RT-4.3-202', 'RT-4.3-203', 'RT-4.3-204', 'RT-4.3-205', 'RT-4.3-22'],
  'relationships can be declared, discovered, added, edited, verified and deleted, and schema health is updated',
  async ({ deliver }) => {
    const { root, source, dataSourceId } = await deliver();
    await source.sql(tables);
    const base = `/svc/api/data-sources/${dataSourceId}`;
    const path = `${base}/relationships`;
    expect((await root.post(`${base}/refresh-metadata`)).status).toBe(200);
    const ends = async (filter = '') =>
      (await root.get(`${path}${filter}`)).body.items.map(
        (one: { source: object; target: object; origin: string }) => [one.source, one.target, one.origin],
      );
    const declared = [
      [end('order_lines', 'order_id'), end('orders', 'id'), 'ForeignKey'],
      [end('order_lines', 'product_id'), end('products', 'id'), 'ForeignKey'],
    ];
    expect(await ends()).toEqual(declared);

    const discovered = await root.post(`${path}/discover`);
    expect(discovered.body.proposals).toMatchObject([
      {
        source: end('invoices', 'customer_id'),
        target: end('customers', 'id'),
        label: 'customer',
        cardinality: 'ManyToOne',
        confidence: 0.9,
        rule: 'NamedAfterTable',
        evidence: 'customer_id is named after the table public.customers, whose key is id.',
      },
    ]);
    expect(await ends()).toEqual(declared);
    const accepted = await root.post(`${path}/discover/accept`, { proposals: endsOf(discovered.body) });
    const [{ id }] = accepted.body.items;
    expect(accepted.body.items).toMatchObject([{ origin: 'Inferred', isVerified: false, confidence: 0.9 }]);
    expect((await root.post(`${path}/discover`)).body.proposals).toEqual([]);

    const changed = await root.patch(`${path}/${id}`, { label: 'buyer', cardinality: 'Unknown' });
    expect(changed.body).toMatchObject({ label: 'buyer', cardinality: 'Unknown' });
    const verified = await root.post(`${path}/${id}/verify`, { isVerified: true });
    expect(verified.body).toMatchObject({ isVerified: true, verifiedByUserName: 'root' });
    expect((await root.post(`${path}/${id}/verify`, { isVerified: false })).body).toMatchObject({
      isVerified: false,
      verifiedByUserName: null,
    });
    expect((await root.post(`${path}/${id}/check`)).body).toEqual({
      checkedCount: 3,
      missingCount: 1,
      isCut: false,
    });

    const added = await root.post(path, { source: end('invoices', 'id'), target: end('orders', 'id') });
    expect(added.status, added.text).toBe(201);
    expect(added.body).toMatchObject({ origin: 'Manual', isVerified: true, cardinality: 'OneToOne' });

    expect((await root.get(`${base}/schema-health`)).body).toMatchObject({
      tableCount: 6,
      relationshipCount: 4,
      verifiedCount: 3,
      componentCount: 2,
      largestComponentSize: 5,
      isolatedTables: { count: 1, items: ['public.notes'] },
      junctionTables: { count: 1, items: ['public.order_lines'] },
      withoutPrimaryKey: { count: 1, items: ['public.notes'] },
      unindexedForeignKeys: { count: 1, items: ['public.order_lines (product_id)'] },
      typeMismatches: { count: 0, items: [] },
    });

    expect((await root.delete(`${path}/${id}`)).status).toBe(204);
    expect(await ends('?origin=Inferred')).toEqual([]);
    expect((await root.post(`${path}/discover`)).body.proposals).toEqual([]);
  },
);

scenario(
  ['RT-4.3-23', 'RT-4.3-1223', 'RT-4.3-1224'],
  'a ProjectAdmin of a project that contains the source can verify a relationship; an Editor and a key cannot',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver();
    await source.sql(tables);
    const base = `/svc/api/data-sources/${dataSourceId}`;
    await root.post(`${base}/refresh-metadata`);
    const proposals = endsOf((await root.post(`${base}/relationships/discover`)).body);
    const { items } = (await root.post(`${base}/relationships/discover/accept`, { proposals })).body;
    expect(items.map(({ isVerified }: { isVerified: boolean }) => isVerified)).not.toContain(true);
    const path = `${base}/relationships/${items[0].id}/verify`;
    const [curator, editor] = [
      await addUser(svc, 'curator', ['Editor']),
      await addUser(svc, 'editor', ['Editor']),
    ];
    for (const [{ userName }, role] of [
      [curator, 'ProjectAdmin'],
      [editor, 'Editor'],
    ] as const)
      expect((await root.post(`/svc/api/projects/${projectId}/members`, { userName, role })).status).toBe(
        201,
      );
    const asCurator = await signIn(svc, curator);
    const { text } = await addKey(asCurator, { scopes: ['Execute'], projects: [projectId] });
    for (const client of [await signIn(svc, editor), svc.client(`Bearer ${text}`)])
      expect((await client.post(path, { isVerified: true })).status).toBe(403);
    expect((await asCurator.post(path, { isVerified: true })).body).toMatchObject({ isVerified: true });

    const relationships = `${base}/relationships`;
    const asEditor = await signIn(svc, editor);
    const clients = [asEditor, svc.client(`Bearer ${text}`), asCurator];
    const marks: boolean[] = [];
    for (const [at, table] of ['orders', 'products', 'customers'].entries()) {
      const ends = { source: end('invoices', 'id'), target: end(table, 'id') };
      const added = await clients[at]?.post(relationships, ends);
      expect(added?.status, added?.text).toBe(201);
      marks.push(added?.body.isVerified);
      if (at < 2) continue;
      const one = `${relationships}/${added?.body.id}`;
      expect((await asCurator.patch(one, { cardinality: 'Unknown' })).body.isVerified).toBe(true);
      expect((await asEditor.patch(one, { label: 'renamed' })).body.isVerified).toBe(true);
      expect((await asEditor.patch(one, { cardinality: 'ManyToMany' })).body.isVerified).toBe(false);
      // The owner of the key may verify, and the key may not.
      expect((await asCurator.post(`${one}/verify`, { isVerified: true })).body.isVerified).toBe(true);
      const byKey = await clients[1]?.patch(one, { cardinality: 'OneToOne' });
      expect([byKey?.status, byKey?.body.isVerified]).toEqual([200, false]);
    }
    expect(marks).toEqual([false, false, true]);
  },
);
