import type { PlainResponse } from '@htskit/http';

/**
 * Answers every request below the path at which it is mounted. The path of `request.url` is relative to that path, and the
 * host of the URL is always `localhost`.
 *
 * A `PlainResponse` is a `Response` or an object with the same `status`, `headers` and `body`. On Node, constructing a
 * `Response` and reading it costs more than the rest of a short HTTP exchange (README, Performance).
 *
 * @example
 * const handler: Handler = (request) => {
 *   const { pathname } = new URL(request.url);
 *   return { status: 200, headers: new Headers({ 'content-type': 'text/plain' }), body: `${pathname}\n` };
 * };
 */
export type Handler = (request: Request) => PlainResponse | Promise<PlainResponse>;

/**
 * A `Request` whose subclass implements the cheap members, such as method, URL and headers. All others are forwarded to a
 * native `Request`, which is constructed when it is first needed: on Node that costs more than the rest of the HTTP
 * exchange, and most handlers do not need it.
 *
 * A view is an instance of `Request` without internal slots: `new Request(view)` and `fetch(view)` throw. `view.clone()` and
 * `new Request(url, view)` return native requests.
 */
export abstract class RequestView {
  /** Returns the native request that members are forwarded to. */
  protected abstract native(): Request;

  /** Returns this object with the type that it has at run time. */
  toRequest(): Request {
    return this as unknown as Request;
  }

  static {
    for (const [name, member] of requestMembers()) {
      if (Object.hasOwn(RequestView.prototype, name)) continue;
      const isMethod = typeof member.value === 'function';
      const descriptor = isMethod ? { value: forwardCall(name) } : { get: forwardGet(name) };
      Object.defineProperty(RequestView.prototype, name, { configurable: true, ...descriptor });
    }
    Object.setPrototypeOf(RequestView.prototype, Request.prototype);

    function forwardGet(name: string) {
      return function (this: RequestView): unknown {
        return Reflect.get(this.native(), name);
      };
    }

    function forwardCall(name: string) {
      return function (this: RequestView, ...parameters: unknown[]): unknown {
        const native = this.native();
        const method: unknown = Reflect.get(native, name);
        return typeof method === 'function' ? Reflect.apply(method, native, parameters) : undefined;
      };
    }
  }
}

/** Lists the members of the global class and of its ancestors, since a library may have replaced it with a subclass. */
function requestMembers(): Array<[string, PropertyDescriptor]> {
  const members: Array<[string, PropertyDescriptor]> = [];
  let prototype: object | null = Request.prototype;
  while (prototype !== null && prototype !== Object.prototype) {
    members.push(...Object.entries(Object.getOwnPropertyDescriptors(prototype)));
    prototype = Reflect.getPrototypeOf(prototype);
  }
  return members;
}
