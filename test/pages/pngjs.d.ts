/** What the tests use of it; it comes without types. */
declare module 'pngjs' {
  export class PNG {
    constructor(options: { width: number; height: number })
    width: number
    height: number
    /** Four bytes a pixel. */
    data: Buffer
    static sync: { read(bytes: Buffer): PNG; write(picture: PNG, options?: { colorType?: number }): Buffer }
  }
}
