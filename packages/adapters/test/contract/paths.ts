import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CreateServer, exchange, MountedServer, PREFIX } from './mounted-server.js';

/** Paths and queries that handlers must receive unchanged. */
const TARGETS = [
  '/',
  '/reads/NA12878',
  '/reads/a%2Fb%2fc',
  '/reads/100%25%3Fx%23y',
  '/reads/a%20b+c',
  '/reads/%C3%A9%F0%9F%A7%AC',
  "/reads/!$&()*,;=:@|~[]'",
  '/reads//twice/',
  '/reads/a?',
  '/reads/a?x',
  '/reads/a?x=1&x=2&&y=',
  '/reads/a?x=%2F%26%3D%25+%20/?:@',
  '/reads/a?regions=%5B%7B%22referenceName%22%3A%22chr1%22%7D%5D',
  `/${'long'.repeat(1000)}`,
];

/** Registers the tests of mount points and of the paths that handlers receive. */
export function pathTests(server: () => MountedServer, create: CreateServer): void {
  describe('paths', () => {
    targetTests(server);
    mountTests(server);
  });
  describe('paths at the root', () => {
    rootTests(create);
  });
}

function targetTests(server: () => MountedServer): void {
  test.each(TARGETS)('%s reaches the handler unchanged', async (path) => {
    server().handler = ({ url }) => new Response(url);
    expect((await exchange(server(), { path })).body.toString()).toBe(new URL(path, 'http://localhost').href);
  });

  test.each([
    ['/reads\\NA12878', '/reads%5CNA12878'],
    ['/reads/a\\b?c=d', '/reads/a%5Cb?c=d'],
    ['/\\reads/a', '/%5Creads/a'],
    ['/reads/a\\..\\b', '/reads/a%5C..%5Cb'],
  ])('the backslashes of %s are not slashes', async (path, expected) => {
    server().handler = ({ url }) => new Response(url);
    const { status, body } = await exchange(server(), { path });
    // @hono/node-server refuses them.
    expect(['400', `200 http://localhost${expected}`]).toContain(
      status === 400 ? '400' : `${status} ${body.toString()}`,
    );
  });

  test('dot segments are resolved and do not leave the mount point', async () => {
    server().handler = ({ url }) => new Response(url);
    const { status, body } = await exchange(server(), { path: '/a/../../b/%2e%2E/./c' });
    // A framework that resolves them before routing finds no handler there.
    expect(['404', '200 http://localhost/c']).toContain(status === 404 ? '404' : `${status} ${body.toString()}`);
  });
}

function mountTests(server: () => MountedServer): void {
  test.each(['', '/', '?a=b', '/?a=b'])('the mount point followed by "%s" is the root', async (path) => {
    server().handler = ({ url }) => new Response(url);
    const expected = `http://localhost/${path.replace('/', '')}`;
    expect((await exchange(server(), { path })).body.toString()).toBe(expected);
  });

  test.each(['x', '%2Fx', '.', '\\', '\\x'])('the mount point followed by "%s" is another path', async (path) => {
    server().handler = () => new Response('reached');
    expect([400, 404]).toContain((await exchange(server(), { path })).status);
  });
}

function rootTests(create: CreateServer): void {
  let root: MountedServer;
  beforeAll(async () => {
    root = await MountedServer.start(create, '');
  });
  afterAll(() => root.close());

  test('a handler that is mounted at the root receives the whole path', async () => {
    root.handler = ({ url }) => new Response(url);
    const { body } = await exchange(root, { path: '/a%2Fb?c' });
    expect(body.toString()).toBe(`http://localhost${PREFIX}/a%2Fb?c`);
  });
}
