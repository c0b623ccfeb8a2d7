import { describe, expect, it } from 'vitest';
import { parseRouteTemplate } from './route-template.ts';

describe('route templates', () => {
  it('match by constraint and have an identity without constraints', () => {
    const template = parseRouteTemplate('/orders/{id:int}/lines/{*rest}');
    expect(template.identity).toBe('/orders/{id}/lines/{*rest}');
    expect({ ...template.match('/Orders/5/lines/a/b%2Fc') }).toEqual({ id: '5', rest: 'a/b/c' });
    expect(template.match('/orders/x/lines/a')).toBeNull();
    expect(template.match('/orders/5')).toBeNull();
    expect(template.match('/orders/%zz/lines/a')).toBeNull();
  });

  it.each(['orders', '/{a}/{a}', '/{*rest}/x', '/{id:colour}', '/a{b}'])('refuse %s', (template) => {
    expect(() => parseRouteTemplate(template)).toThrow(/route template/);
  });
});
