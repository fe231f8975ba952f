/** A random UUID (RFC 9562, version 4). crypto.randomUUID is missing on pages without TLS, getRandomValues is not. */
export function uuid(): string {
  // 0 and 1 give way to any digit, 8 to one of the variant's four; the version stands.
  return '00000000-0000-4000-8000-000000000000'.replace(/[08]/g, (digit) => {
    const random = crypto.getRandomValues(new Uint8Array(1))[0] ?? 0
    return (digit === '8' ? 8 | (random & 3) : random & 15).toString(16)
  })
}
