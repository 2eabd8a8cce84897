internal import Assets
internal import MediaCore

/// Frames on their way from one stage to the next.
typealias FrameQueue = BoundedQueue<VideoFrame>

/// Takes frames out of one queue and puts others into the next.
typealias PictureStage = @Sendable (_ from: FrameQueue, _ to: FrameQueue) throws -> Void
