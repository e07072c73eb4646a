/**
 * A `Request` that answers the cheap questions itself and passes the others on to a native `Request`. On Node, making a
 * native one costs more than the whole HTTP exchange around it, and most handlers need method, URL and headers only.
 *
 * It is an instance of `Request`, but has no internal slots: `new Request(view)` and `fetch(view)` throw. `view.clone()`
 * and `new Request(url, view)` give native requests.
 */
export abstract class RequestView {
  /** The native request that answers what the view does not. */
  protected abstract native(): Request;

  /** This object under the type that it has at run time. */
  toRequest(): Request {
    return this as unknown as Request;
  }

  static {
    for (const [name, member] of requestMembers()) {
      if (Object.hasOwn(RequestView.prototype, name)) continue;
      const isMethod = typeof member.value === 'function';
      const passingOn = isMethod ? { value: passOnCall(name) } : { get: passOn(name) };
      Object.defineProperty(RequestView.prototype, name, { configurable: true, ...passingOn });
    }
    Object.setPrototypeOf(RequestView.prototype, Request.prototype);

    function passOn(name: string) {
      return function (this: RequestView): unknown {
        return Reflect.get(this.native(), name);
      };
    }

    function passOnCall(name: string) {
      return function (this: RequestView, ...parameters: unknown[]): unknown {
        const native = this.native();
        const method: unknown = Reflect.get(native, name);
        return typeof method === 'function' ? Reflect.apply(method, native, parameters) : undefined;
      };
    }
  }
}

/** The members of the global class and of those that it extends: a library may have put a subclass in its place. */
function requestMembers(): Array<[string, PropertyDescriptor]> {
  const members: Array<[string, PropertyDescriptor]> = [];
  let prototype: object | null = Request.prototype;
  while (prototype !== null && prototype !== Object.prototype) {
    members.push(...Object.entries(Object.getOwnPropertyDescriptors(prototype)));
    prototype = Reflect.getPrototypeOf(prototype);
  }
  return members;
}
