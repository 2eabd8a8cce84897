// SPDX-License-Identifier: GPL-2.0-or-later

// This single import gives a program files, settings, sessions, reports and colors. Which target
// declares a type is an implementation detail: a type may move without breaking anyone's code.
@_exported public import Assets
@_exported public import CodePoints
@_exported public import ColorConversion
@_exported public import ColorScience
@_exported public import ColorTagging
@_exported public import Comparison
@_exported public import Editing
@_exported public import Host
@_exported public import Inspection
@_exported public import LibAV
@_exported public import MediaCore
@_exported public import Planning
@_exported public import Reading
@_exported public import Segments
@_exported public import Settings
@_exported public import Stills
@_exported public import Transcoding
@_exported public import VideoEncoders
