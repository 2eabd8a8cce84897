internal import ArgumentParser
internal import Assets
internal import Foundation
internal import Transcoding

extension ExitStatus {
  /// Runs a command and says on standard error what went wrong.
  static func of(_ command: any ParsableCommand) async -> ExitStatus {
    do {
      if let command = command as? any CandelaCommand {
        return try await command.execute()
      }
      var other = command
      try other.run()
      return .done
    } catch let error as TranscodingError {
      Console.printError("candela: \(Advice.text(error))")
      return ExitStatus(error.kind)
    } catch is CancellationError {
      Interruptible.report()
      return .interrupted
    } catch {
      let code = Candela.exitCode(for: error)
      Console.printError(Candela.fullMessage(for: error))
      // 1 is the parser's word for errors that it does not know.
      return code == .failure
        ? .internalFault : ExitStatus(rawValue: code.rawValue) ?? .internalFault
    }
  }
}
